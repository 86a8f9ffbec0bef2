#include "wavewright/report/cells.h"

#include <fmt/format.h>

#include "wavewright/report/charts/palette.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/page/panels.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

std::string value_cell(double value, std::string_view text, std::string_view css_class) {
  return fmt::format(R"(<td class="{}" data-v="{:.6g}">{}</td>)", css_class, value, text);
}

std::string time_cell(std::optional<Time> time, std::string_view css_class) {
  if (!time) return fmt::format("<td class=\"{}\" data-v=\"-1\">–</td>", css_class);
  return fmt::format("<td class=\"{}\" data-v=\"{}\">{}</td>", css_class, to_ms(*time),
                     duration_text(time->time_since_epoch()));
}

std::string job_cells(const std::vector<ReportJob>& jobs, std::size_t job) {
  return fmt::format(R"(<th scope="row"><i class="swatch {}"></i>{}</th><td class="id" data-v="{}">{}</td>)",
                     job_class(job, jobs.size()), isolated(shortened(job_name(jobs[job]), 40)), job,
                     isolated(shortened(jobs[job].id, 40)));
}

std::string heading(std::string_view text, bool number) {
  return fmt::format("<th scope=\"col\"{}>{}</th>", number ? " class=\"n\"" : "", text);
}

std::string open_scroll(std::string_view name) {
  return fmt::format(R"(<div class="scroll tall" tabindex="0" role="region" aria-label="{}">)", escape(name));
}

std::string long_table(std::string_view id, std::string_view name, std::string_view placeholder,
                       std::string_view head, std::string_view rows) {
  return fmt::format(
      R"(<p class="filter"><label>Find <input type="search" data-filter="{0}" placeholder="{1}"></label> <output></output></p>)"
      R"({2}<table id="{0}" class="data long sortable">{3}<tbody>{4}</tbody></table></div>)",
      id, placeholder, open_scroll(name), head, rows);
}

}  // namespace wavewright::report
