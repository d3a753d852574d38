// MJCF, the model files of MuJoCo: read_mjcf takes a parsed file with root <mujoco> to a description.
// Numbers agree with MuJoCo 3: default classes, compiler options, includes, frames, replicas, attached models, inertia from
// geoms and meshes. Left out, with a notice: spatial tendons, muscles and other actuators with a state, fluids, flexible
// bodies, plugins, and all that is for pictures or sensors.
#pragma once

#include "tribo/io/model_file.hpp"

#include "io/xml_file.hpp"

namespace tribo {

Expected<ModelFile> read_mjcf(const XmlFile& file);

}  // namespace tribo
