#include "io/mjcf/mjcf.hpp"

#include "io/mjcf/context.hpp"
#include "io/mjcf/schema.hpp"

namespace tribo {

Expected<ModelFile> read_mjcf(const XmlFile& file) {
  const Expected<MjcfSource> source = read_mjcf_source(file);
  if (!source) return Unexpected<Error>{source.error()};
  if (Checked done = check_mjcf_words(source->root); !done) return Unexpected<Error>{done.error()};
  MjcfContext context(*source);
  if (Checked done = context.defaults.read(*source); !done) return Unexpected<Error>{done.error()};
  if (const std::string* name = source->root.find("model")) context.model.name = *name;
  context.model.file = file.path;
  for (const auto part : {read_options, read_assets, read_world, read_contacts, read_tendons, read_equalities,
                          read_actuators, read_sensors, read_custom, apply_flags, read_keyframes}) {
    part(context);
    if (context.errors.failed()) return context.errors.take();
  }
  return ModelFile{std::move(context.model), context.notices.take(), collect_mjcf_files(context)};
}

}  // namespace tribo
