// Writes a few seeded problems as files for `tribo solve`:   generate_problems FOLDER
#include <tribo/io/problem_file.hpp>
#include <tribo/problem/generate.hpp>

#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>

namespace {

using namespace tribo;

bool write(const std::filesystem::path& folder, const std::string& name, const AnyProblem& problem) {
  const Checked written = write_json((folder / (name + ".json")).string(), problem);
  if (!written) std::cerr << written.error().text() << "\n";
  return written.has_value();
}

ContactFile contact_file(ContactProblem problem, const ContactModel& model) {
  return {.problem = std::move(problem), .model = model, .expected = {}, .description = {}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: generate_problems FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  Random random(1);
  bool good = write(folder, "peg_32_contacts", contact_file(peg_in_hole(32, random), CoulombPyramid{8}));
  good &= write(folder, "stack_of_4_blocks", contact_file(box_stack(4, 4, random), CoulombPyramid{4}));
  good &= write(folder, "grasp_of_10_boxes", contact_file(grasp_row(10, 12), NoSlip{}));
  good &= write(folder, "block_1000_contacts", contact_file(block_on_face(1000, 0.3, random), NoSlip{}));
  good &= write(folder, "jammed_sphere", contact_file(jam(true), Frictionless{}));
  good &= write(folder, "lcp_100_rows", solvable_lcp(MatrixClass::kP, 100, random));
  good &= write(folder, "box_lcp_60_rows", solvable_box_lcp(60, random));
  good &= write(folder, "qp_30_unknowns", random_qp(30, 5, 40, random));
  return good ? 0 : 1;
}
