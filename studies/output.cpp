#include "studies/output.hpp"

#include <iostream>

#include <fmt/format.h>

namespace tribo {

std::string reproduced_if(bool held) { return held ? "reproduced" : "not reproduced"; }
std::string differs_if(bool differs, const std::string& reason) {
  return differs ? "differs because " + reason : reproduced_if(true);
}

StudyOutput::StudyOutput(const StudyOptions& options, std::string study)
    : options_(options), out_(options.out != nullptr ? *options.out : std::cout), study_(std::move(study)) {}

void StudyOutput::line(const std::string& text) {
  if (!options_.json) out_ << text << '\n' << std::flush;
}

void StudyOutput::heading(const std::string& text) {
  line("\n" + text);
  if (options_.lines != nullptr) *options_.lines << make_line("heading", {{"text", text}});
}

void StudyOutput::object(const std::string& kind, const Json& fields) {
  if (!options_.json && options_.lines == nullptr) return;
  const std::string text = make_line(kind, fields);
  if (options_.json) out_ << text << std::flush;
  if (options_.lines != nullptr) *options_.lines << text;
}

std::string StudyOutput::make_line(const std::string& kind, const Json& fields) const {
  Json all = {{"study", study_}, {"kind", kind}};
  all.update(fields);
  return all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";  // a file name may be no UTF-8
}

void StudyOutput::progress(const std::string& text) {
  if (options_.progress) std::cerr << "\r\033[K" << text << std::flush;
}

void StudyOutput::claim(const std::string& claim, const std::string& paper, const std::string& ours,
                        const std::string& verdict) {
  progress("");
  line(fmt::format("  {}\n    paper    {}\n    ours     {}\n    verdict  {}", claim, paper, ours, verdict));
  object("claim", {{"claim", claim}, {"paper", paper}, {"ours", ours}, {"verdict", verdict}});
}

void StudyOutput::promise(const std::string& name, bool held, const std::string& detail) {
  progress("");
  if (!held) ++broken_;
  line(fmt::format("{}  {}: {}", held ? "PASS" : "FAIL", name, detail));
  object("promise", {{"name", name}, {"held", held}, {"detail", detail}});
}

}  // namespace tribo
