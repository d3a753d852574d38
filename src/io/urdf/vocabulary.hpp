// What is in a URDF file besides what is read: leftovers of xacro are refused, the rest is noticed.
#pragma once

#include "io/notices.hpp"
#include "io/xml_file.hpp"

namespace tribo {

Checked check_vocabulary(const XmlElement& robot, NoticeList& notices);

}  // namespace tribo
