#include "tribo/io/recording.hpp"
#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include "io/recording_output.hpp"
#include "io/table_text.hpp"

namespace tribo {
StateTable::StateTable(const Model& model) : data_(model) {
  for (Index b = 0; b < model.nb(); ++b) {
    const std::string& name = model.bodies()[static_cast<std::size_t>(b)].name;
    names_.push_back(quote(name.empty() ? "body" + std::to_string(b) : name));
  }
}
StateTable::~StateTable() = default;
StateTable::StateTable(StateTable&&) noexcept = default;
StateTable& StateTable::operator=(StateTable&&) noexcept = default;

Expected<StateTable> StateTable::create(const std::string& path, const Model& model, bool overwrite) {
  Expected<std::unique_ptr<NewFile>> file = NewFile::create(path, overwrite);
  if (!file) return Unexpected<Error>{file.error()};
  StateTable table(model);
  table.file_ = std::move(*file);
  const Checked written = table.file_->write("time,body,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n");
  if (!written) return Unexpected<Error>{written.error()};
  return table;
}

Checked StateTable::write(const Model& model, const State& state, double time) {
  calc_positions(model, state, data_);
  calc_velocities(model, state, data_);
  text_.clear();
  for (std::size_t b = 1; b < names_.size(); ++b) {
    const Vector3d& p = data_.p[b];
    const Quaterniond& q = data_.quat[b];
    const PointMotion motion = calc_velocity(data_, static_cast<Index>(b), p);
    append(text_, time);
    text_ += "," + names_[b];
    for (const double x : {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z(), motion.linear.x(), motion.linear.y(),
                           motion.linear.z(), motion.angular.x(), motion.angular.y(), motion.angular.z()}) {
      text_ += ",";
      append(text_, x);
    }
    text_ += "\n";
  }
  return file_->write(text_);
}

Checked StateTable::close() { return file_->close(); }

}  // namespace tribo
