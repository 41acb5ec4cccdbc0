#include "sarrus/show/mobility_json.hpp"

#include "sarrus/results/result_json.hpp"

namespace sarrus {

const char* to_text(Reaction r) {
  switch (r) {
    case Reaction::not_carried: return "·";
    case Reaction::unique: return "unique";
    case Reaction::shared: return "shared";
  }
  return "";
}

std::string to_json(const Mobility& m) {
  Json sets = Json::array(), reactions = Json::array();
  for (const RedundantSet& s : m.sets)
    sets.push_back({{"times", s.times},
                    {"carries", s.carries},
                    {"elements", s.elements},
                    {"share", s.share},
                    {"words", s.words}});
  for (const JointReactions& j : m.reactions) {
    Json components = Json::array();
    for (const Reaction r : j.components)
      components.push_back(r == Reaction::not_carried ? "not carried" : to_text(r));
    reactions.push_back({{"element", j.element}, {"components", components}});
  }
  return dump({{"analysed", m.analysed},
               {"freedoms", m.freedoms},
               {"position_freedoms", m.position_freedoms},
               {"velocities", m.velocities},
               {"elastic_coordinates", m.elastic},
               {"rows", m.rows},
               {"rank", m.rank},
               {"redundant", m.redundant},
               {"counted", m.counted},
               {"singular_values", {m.last, m.next}},
               {"clear_gap", m.clear_gap},
               {"singular_here", m.singular_here},
               {"generic_rank", m.generic_rank},
               {"sets", sets},
               {"changes", m.changes},
               {"reactions", reactions}});
}

}  // namespace sarrus
