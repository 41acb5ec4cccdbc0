// Characters of UTF-8 text, and those that make a text look different from what it is.
#pragma once

#include <string>
#include <string_view>

namespace sarrus {

/// Bytes of the UTF-8 character that starts here, with its code, or 0 where there is none: no
/// overlong forms, no surrogates, nothing above U+10FFFF.
int utf8_length(std::string_view text, char32_t& code);

/// Commands to a terminal: the controls of ASCII, but for tab and line end, and of Latin-1.
bool is_control(char32_t c);
/// Marks that reorder, break or hide the text around them.
bool is_deceptive(char32_t c);

/// What a name may not hold beside them: what cannot be seen, and what looks like another letter.
/// Words for it, such as "a blank", or "".
std::string_view unfit_for_names(char32_t c);

/// The first control or deceptive character of a text, or 0.
char32_t first_unsafe(std::string_view text);
/// The text with such characters, and bytes that are not UTF-8, written out: \x1b, \u202e.
std::string visible(std::string_view text);
/// The same in one line: line ends and tabs are written out too.
std::string visible_line(std::string_view text);

}  // namespace sarrus
