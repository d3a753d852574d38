#include "tribo/io/model_file.hpp"

#include "io/mjcf/mjcf.hpp"
#include "io/urdf/urdf.hpp"
#include "io/xml_file.hpp"

namespace tribo {

Expected<ModelFile> read_model(const std::string& path, const LoadOptions& options) {
  const Expected<XmlFile> file = read_xml(path);
  if (!file) return Unexpected<Error>{file.error()};
  if (file->root.name == "mujoco") return read_mjcf(*file);
  if (file->root.name == "robot") return read_urdf(*file, options);
  return fail_at(file->root, "the root element <" + file->root.name + "> is neither <mujoco> nor <robot>",
                 "give an MJCF or URDF file");
}

Expected<World> load(const std::string& path, const LoadOptions& options) {
  Expected<ModelFile> file = read_model(path, options);
  if (!file) return Unexpected<Error>{file.error()};
  Expected<Model> model = Model::make(std::move(file->description));
  if (!model) return Unexpected<Error>{model.error().within(path)};
  return World{std::move(*model), std::move(file->notices), std::move(file->files)};
}

}  // namespace tribo
