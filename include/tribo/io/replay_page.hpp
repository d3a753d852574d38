// A recording as one page that a browser plays from disk, with no server and no network.
//     write_replay_page("wall.tribo", "wall.html");
#pragma once

#include "tribo/core/expected.hpp"

#include <string>
#include <string_view>

namespace tribo {

// The page without a recording, as it was built into this library; empty where viewer/ was not built before it.
std::string_view replay_template();

// The page to use: that of the file $TRIBO_VIEWER, else the one built in. Fails where there is none.
Expected<std::string> load_replay_template();

// `page` with the recording in it, compressed, in place of the one mark @TRIBO_RECORDING@.
Expected<std::string> make_replay_page(std::string_view page, std::string_view recording);

// An existing page is an error unless `overwrite`. The page is there as a whole or not at all.
Checked write_replay_page(const std::string& recording, const std::string& page, bool overwrite = false);

}  // namespace tribo
