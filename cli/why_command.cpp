#include "why_command.hpp"

#include "tribo/io/recording.hpp"

#include <charconv>
#include <cmath>

#include "exit_code.hpp"
#include "terminal.hpp"
#include "why_text.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

template <typename T>
bool parse_all_of(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end;
}

// The recorded moment nearest to a time, which must lie within the recording or half a frame beside it.
Expected<std::int64_t> find_frame(const Recording& recording, const std::optional<std::string>& time) {
  const std::int64_t last = recording.frames() - 1;
  if (!time) return last;
  double asked = 0.0;
  if (!parse_all_of(*time, asked) || !std::isfinite(asked))
    return fail("\"" + *time + "\" is not a time", "--time", "give seconds, for example 0.5");
  const double slack = 0.5 * recording.header().step * static_cast<double>(recording.header().every);
  if (!(asked >= recording.time(0) - slack && asked <= recording.time(last) + slack)) {
    return fail(*time + " s is outside of the recording", "--time",
                fmt::format("give a time from {:.9g} to {:.9g}", recording.time(0), recording.time(last)));
  }
  std::int64_t nearest = 0;
  for (std::int64_t k = 1; k <= last; ++k) {
    if (std::abs(recording.time(k) - asked) < std::abs(recording.time(nearest) - asked)) nearest = k;
  }
  return nearest;
}

Expected<std::optional<std::size_t>> find_contact(const RecordedFrame& frame,
                                                  const std::optional<std::string>& contact) {
  if (!contact) return std::optional<std::size_t>();
  std::size_t number = 0;
  if (!parse_all_of(*contact, number))
    return fail("\"" + *contact + "\" is not a number of a contact", "--contact", "give a whole number from 0");
  if (number < frame.contacts.size()) return std::optional<std::size_t>(number);
  const std::string what = fmt::format("there is no contact {} at {:.9g} s", number, frame.time);
  if (frame.contacts.empty()) return fail(what, "--contact", "that step lists none; give another --time");
  return fail(what, "--contact", fmt::format("give a number from 0 to {}", frame.contacts.size() - 1));
}

struct WhyAnswer {
  std::string text;
  bool certified = true;
};

Expected<WhyAnswer> answer_why(const WhyArguments& arguments) {
  Expected<Recording> recording = Recording::open(arguments.recording);
  if (!recording) return Unexpected<Error>{recording.error()};
  if (recording->frames() == 0) {
    return fail("holds no complete frame: " + recording->ending(), arguments.recording,
                "nothing is known of any step; run it again");
  }
  const Expected<std::int64_t> number = find_frame(*recording, arguments.time);
  if (!number) return Unexpected<Error>{number.error()};
  const Expected<RecordedFrame> frame = recording->frame(*number);
  if (!frame) return Unexpected<Error>{frame.error().within(arguments.recording)};
  const auto contact = find_contact(*frame, arguments.contact);
  if (!contact) return Unexpected<Error>{contact.error()};
  WhyQuestion question;
  question.file = arguments.recording;
  question.ending = recording->ending();
  question.header = &recording->header();
  question.frame = &*frame;
  question.number = *number;
  question.frames = recording->frames();
  question.contact = *contact;
  return WhyAnswer{arguments.json ? why_json(question) : why_text(question), is_solved(frame->status)};
}

}  // namespace

int run_why(const WhyArguments& arguments) {
  const Expected<WhyAnswer> answer = answer_why(arguments);
  if (!answer) {
    const std::string text = answer.error().text();
    write_error(text);
    if (arguments.json) write_output(why_error_json(arguments.recording, text));
    return kBadInput;
  }
  if (!write_output(answer->text)) return kBadInput;
  return answer->certified ? kCertified : kNotCertified;
}

}  // namespace tribo
