#include "io/xml_fields.hpp"
#include "io/xml_file.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

std::string xml_error(const std::string& bytes) {
  const Expected<XmlFile> file = parse_xml(bytes, "f.xml");
  EXPECT_FALSE(file.has_value());
  return file ? "" : file.error().text();
}

// Messages lead to the line, so every element must know its own.
TEST(Xml, KnowsFileLineAndPathOfEveryElement) {
  const Expected<XmlFile> file = parse_xml("<a>\n <body name=\"arm\">\n\n  <geom/>\n  <geom/></body></a>", "f.xml");
  ASSERT_TRUE(file.has_value());
  const XmlElement& second = file->root.children[0].children[1];
  EXPECT_EQ(second.line, 5);
  EXPECT_EQ(second.where(), "f.xml:5: body[arm]/geom[1]");
  EXPECT_EQ(*file->root.children[0].find("name"), "arm");
  EXPECT_EQ(file->root.children[0].find("mass"), nullptr);
}

// Broken and hostile files end with a reason, not with a crash or a guess.
TEST(Xml, RefusesWhatIsNotOneTree) {
  EXPECT_NE(xml_error("<a>\n<b></a>").find("f.xml:2"), std::string::npos);
  EXPECT_NE(xml_error(std::string("<a>\0</a>", 8)).find("UTF-8"), std::string::npos);
  EXPECT_NE(xml_error("<a/>\n<b/>").find("second root element 'b'"), std::string::npos);
  EXPECT_NE(xml_error("<a x=\"1\" x=\"2\"/>").find("'x' is given twice"), std::string::npos);
  EXPECT_NE(xml_error("<!-- nothing -->").find("No document element"), std::string::npos);
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  for (int i = 0; i < 100000; ++i) deep += "</a>";
  EXPECT_NE(xml_error(deep).find("one in the other"), std::string::npos);
}

// Entities are not expanded, so a file that declares some would not mean what its author wrote: it is refused, bomb or not.
TEST(Xml, RefusesEntities) {
  const Expected<XmlFile> file =
      parse_xml("<!DOCTYPE a [<!ENTITY x \"yyyy\"><!ENTITY z \"&x;&x;\">]><a name=\"&z;&amp;\"/>", "f.xml");
  ASSERT_FALSE(file.has_value());
  EXPECT_NE(file.error().what.find("entities"), std::string::npos);
}

// Looking for repeated names costs the square of their number, and no element of a robot has so many.
TEST(Xml, RefusesElementsWithHundredsOfAttributes) {
  std::string text = "<a";
  for (int i = 0; i < 100000; ++i) text += " x" + std::to_string(i) + "=\"1\"";
  const Expected<XmlFile> file = parse_xml(text + "/>", "f.xml");
  ASSERT_FALSE(file.has_value());
  EXPECT_NE(file.error().what.find("attributes"), std::string::npos);
}

// A number is read as written or refused: half-read numbers would be wrong models.
TEST(Xml, ReadsNumbersExactlyOrNotAtAll) {
  EXPECT_EQ(parse_numbers(" 1 -2.5e-3\t+.5\n1e-400 ").value(), (std::vector<double>{1.0, -2.5e-3, 0.5, 0.0}));
  EXPECT_TRUE(parse_numbers("").value().empty());
  for (const char* bad : {"1.0x", "nan", "inf", "1e999", "0,5", "--1", "+-1", "+"}) {
    EXPECT_FALSE(parse_numbers(bad).has_value()) << bad;
  }
}

// Defaults and element are laid over each other: one number given overwrites one number.
TEST(Xml, LaterLayersOverwriteAsManyNumbersAsTheyGive) {
  const XmlFile outer = parse_xml("<geom friction=\"1 2 3\" size=\"7\"/>", "f.xml").value();
  const XmlFile inner = parse_xml("<geom friction=\"5\"/>", "f.xml").value();
  XmlErrors errors;
  const XmlFields fields({&outer.root, &inner.root}, errors);
  Vector3d friction = Vector3d::Zero(), size = Vector3d::Zero();
  EXPECT_EQ(fields.numbers("friction", {friction.data(), 3}, 1), 1);
  EXPECT_EQ(friction, Vector3d(5.0, 2.0, 3.0));
  EXPECT_EQ(fields.numbers("size", {size.data(), 3}, 1), 1);
  EXPECT_EQ(fields.vector("pos", size), 0);
  EXPECT_FALSE(errors.failed());
}

// The first of several errors is the cause; it names the attribute.
TEST(Xml, KeepsTheFirstErrorWithItsAttribute) {
  const XmlFile file = parse_xml("<geom size=\"1 2\" mass=\"x\" type=\"cube\" on=\"yes\" n=\"1.5\"/>", "f.xml").value();
  const auto text = [&](auto read) {
    XmlErrors errors;
    read(XmlFields(file.root, errors));
    EXPECT_TRUE(errors.failed());
    return errors.take().error.text();
  };
  Vector3d v;
  double number = 0.0;
  int word = 0;
  bool on = false;
  static constexpr const char* kWords[] = {"box", "sphere"};
  EXPECT_EQ(text([&](const XmlFields& f) {
              f.vector("size", v);
              f.number("mass", number);
            }),
            "f.xml:1: geom attribute size: has 2 numbers; give 3");
  EXPECT_NE(text([&](const XmlFields& f) { f.number("mass", number); }).find("'x' is not a number"), std::string::npos);
  EXPECT_NE(text([&](const XmlFields& f) { f.choice("type", kWords, word); }).find("box, sphere"), std::string::npos);
  EXPECT_NE(text([&](const XmlFields& f) { f.boolean("on", on); }).find("true"), std::string::npos);
  EXPECT_NE(text([&](const XmlFields& f) { f.integer("n", word); }).find("integer"), std::string::npos);
}

// A misspelt word is met with the nearest known one, and with nothing where none is near.
TEST(Xml, SuggestsTheNearestWord) {
  EXPECT_EQ(suggest("frction", {"gap", "friction", "fraction1"}), "did you mean 'friction'?");
  EXPECT_EQ(suggest("zzz", {"gap", "friction"}), "");
}

}  // namespace
}  // namespace tribo
