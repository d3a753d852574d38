// The mesh formats, each from bytes to a Mesh; errors have no file name yet. read_mesh (tribo/io/model_file.hpp) picks by ending.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/geometry/mesh.hpp"

#include <string>
#include <string_view>

namespace tribo {

// OBJ files may hold several objects. MJCF means the faces of the first alone (and the vertices of all); URDF means all.
enum class ObjScope { kFirstObject, kAllObjects };

Expected<Mesh> read_mesh(const std::string& path, ObjScope scope);

Expected<Mesh> parse_stl(std::string_view bytes);
Expected<Mesh> parse_obj(std::string_view bytes, ObjScope scope);
Expected<Mesh> parse_msh(std::string_view bytes);
Expected<Mesh> parse_collada(const std::string& bytes);

// Is this an ending that read_mesh knows? In lower case, with its dot.
bool is_mesh_ending(const std::string& ending);

// Makes equal vertices one, in the order of their first use by a face. Vertices without a face go.
void weld_vertices(Mesh& mesh);

// Little-endian numbers, as all of our binary formats have them.
float read_float(const char* bytes);
std::uint32_t read_unsigned(const char* bytes);

}  // namespace tribo
