// What a recording keeps of sensors and activations, beside the frames' poses and contacts.
#pragma once

#include "tribo/io/recording.hpp"

#include <vector>

namespace tribo {

// Sensors of the model, then activations of its actuators that have one.
std::vector<RecordedSensor> list_sensors(const Model& model);

// A float as a whole number that grows with it; NaN is a number of its own.
std::int64_t to_float_code(double x);
double from_float_code(std::int64_t code);

}  // namespace tribo
