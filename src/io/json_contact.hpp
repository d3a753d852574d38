// Contact problems in JSON, schema contact-lcp-ref/1.
#pragma once

#include "tribo/io/problem_file.hpp"

#include "io/json_fields.hpp"

namespace tribo {

inline constexpr const char* kContactSchema = "contact-lcp-ref/1";

// Reads the object; in.failed() says whether it could. Not yet validated.
ContactFile read_contact(JsonFields& in);

// The `model` of the schema: "st_d8", "viscous_acc", ...
std::string contact_model_name(const ContactModel& model, Level level);

}  // namespace tribo
