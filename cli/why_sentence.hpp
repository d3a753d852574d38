// What a contact does and why, in sentences with numbers. viewer/src/why.ts says the same words; data/why/sentences.json holds both to it.
#pragma once

#include "tribo/io/recording.hpp"

#include <string>
#include <vector>

#include "why_group.hpp"

namespace tribo {

// "Sticks with 63 % margin: it needs 1.2 N of friction, and the cone allows 3.3 N (mu 0.6 × 5.5 N)."
std::string contact_sentence(const RecordingHeader& header, const RecordedContact& contact);

// "As a whole, 4 contacts stick with 27 % margin: they need …"; two contacts or more.
std::string group_sentence(const RecordingHeader& header, const ContactGroup& group);

// All that is said of a contact: of its group first, where it has one (of find_groups), then of itself.
std::vector<std::string> explain_contact(const RecordingHeader& header, const RecordedFrame& frame,
                                         const std::vector<ContactGroup>& groups, std::size_t contact);

}  // namespace tribo
