// URDF → ModelDescription.
//
// The root link stands on the world: a root named "world" is the world itself, any other is a body without a joint. A floating
// base is asked for with a joint of type "floating". Links keep their bodies, also behind fixed joints; bodies are listed depth
// first, the joints of a link in the file's order. Link frame = body frame; q = 0 is the pose of the file.
//
// Mass comes from <inertial> alone. A link without one is massless, which is well while something heavy hangs on it. Where a
// joint would move nothing but massless links, their collision shapes are weighed at 1000 kg/m³ and a notice says so; without
// shapes it is an error. Visuals never weigh and never touch (group 2); collision shapes are in group 3.
//
// mimic becomes an equality of joints; a planar joint slides along planar_axes(axis) and turns about axis. Of <mujoco> inside
// the file, compiler (meshdir, assetdir, strippath, discardvisual, balanceinertia, boundmass, boundinertia) and option
// (timestep, gravity) are honoured.
//
// Mesh files are looked for where their path says, then in the package folders of the options and in folders of the package's
// name above the file, then by ever shorter ends of the path below the file's folder and its parents.
#pragma once

#include "tribo/io/model_file.hpp"

#include "io/xml_file.hpp"

namespace tribo {

Expected<ModelFile> read_urdf(const XmlFile& file, const LoadOptions& options);

}  // namespace tribo
