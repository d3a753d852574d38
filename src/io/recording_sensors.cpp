#include "tribo/io/recording.hpp"

#include "io/recording_output.hpp"
#include "io/table_text.hpp"

namespace tribo {

SensorTable::SensorTable() = default;
SensorTable::~SensorTable() = default;
SensorTable::SensorTable(SensorTable&&) noexcept = default;
SensorTable& SensorTable::operator=(SensorTable&&) noexcept = default;

Expected<SensorTable> SensorTable::create(const std::string& path, const Model& model, bool overwrite) {
  Expected<std::unique_ptr<NewFile>> file = NewFile::create(path, overwrite);
  if (!file) return Unexpected<Error>{file.error()};
  SensorTable table;
  table.file_ = std::move(*file);
  std::string head = "time";
  const std::vector<Sensor>& sensors = model.description().sensors;
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    const std::string name = sensors[s].name.empty() ? "sensor" + std::to_string(s) : sensors[s].name;
    const int size = calc_size(sensors[s].type);
    for (int k = 0; k < size; ++k) head += "," + quote(size == 1 ? name : name + "[" + std::to_string(k) + "]");
  }
  if (const Checked written = table.file_->write(head + "\n"); !written) return Unexpected<Error>{written.error()};
  return table;
}

Checked SensorTable::write(const VectorXd& values, double time) {
  text_.clear();
  append(text_, time);
  for (const double value : values) {
    text_ += ",";
    append(text_, value);
  }
  text_ += "\n";
  return file_->write(text_);
}

Checked SensorTable::close() { return file_->close(); }

}  // namespace tribo
