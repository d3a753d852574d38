// Compliant problems in JSON, schema compliant-step/1. Reference files have the same keys and no schema.
#pragma once

#include "tribo/io/problem_file.hpp"

#include "io/json_fields.hpp"

namespace tribo {

inline constexpr const char* kCompliantSchema = "compliant-step/1";

// Reads the object; in.failed() says whether it could. Not yet validated. Keys inside of `bilateral`, `unilateral` and
// `contacts` that nobody knows are errors: a misspelt stiffness must not become zero in silence.
CompliantFile read_compliant(JsonFields& in);

std::string write_compliant(const CompliantFile& file);  // json_compliant_output.cpp

}  // namespace tribo
