#include "wavewright/report/page/assets.h"

namespace wavewright::report {

// Text enters the page through textContent only, so a name is never read as markup. page_controls goes on in
// the same function.
const std::string_view page_script = R"js(
'use strict';
(() => {
const D = JSON.parse(document.getElementById('data').textContent);
const tip = document.getElementById('tip');
const units = [[86400000, 'd', 3600000, 'h'], [3600000, 'h', 60000, 'm'], [60000, 'm', 1000, 's']];
function duration(ms) {
  if (ms === 0) return '0';
  if (ms < 1000) return ms + 'ms';
  if (ms < 60000) return (ms % 1000 ? (Math.floor(ms / 100) / 10).toFixed(1) : ms / 1000) + 's';
  const [big, bigName, small, smallName] = units.find(u => ms >= u[0]);
  const rest = Math.floor(ms % big / small), whole = Math.floor(ms / big);
  if (rest) return whole + bigName + rest + smallName;
  return whole + (bigName === 'm' ? 'min' : bigName);
}
function show(text, event) {
  tip.textContent = text;
  tip.hidden = false;
  const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  const below = event.clientY + 18 + tip.offsetHeight < innerHeight;
  tip.style.left = Math.max(8, x) + 'px';
  tip.style.top = (below ? event.clientY + 18 : event.clientY - tip.offsetHeight - 10) + 'px';
}
function jobText(j) {
  const [id, name] = D.jobs[j];
  const lines = [name && name !== id ? name + '  ' + id : id];
  D.schedules.forEach((label, s) => {
    const [start, finish] = D.times_ms[s][j];
    lines.push(label + ': ' + (finish === -1 ? 'rejected' : finish < 0 ? 'not done' : (start < 0 ? '' : duration(start) + ' to ') + duration(finish)));
  });
  return lines.join('\n');
}
function taskText(task, kind) {
  const [number, slot, start, end, own, attempt, outcome] = task.split(',');
  const again = attempt > 0 ? ', attempt ' + (Number(attempt) + 1) : '';
  return '\n' + (kind || own) + ' ' + number + again + ' on ' + (D.places ? D.places[slot] : 'slot ' + slot) + ': ' +
    duration(Number(start)) + ' to ' + duration(Number(end)) + ' (' + duration(end - start) + ')' +
    (outcome ? ', ' + outcome : '');
}
const groups = new Map();
document.querySelectorAll('.job').forEach(g => {
  const list = groups.get(g.dataset.j) || [];
  list.push(g);
  groups.set(g.dataset.j, list);
});
let lit = null;
function light(j) {
  if (j === lit) return;
  (groups.get(lit) || []).forEach(g => g.classList.remove('hot'));
  (groups.get(j) || []).forEach(g => g.classList.add('hot'));
  document.documentElement.classList.toggle('dim', j !== null);
  lit = j;
}
function useText(figure, share) {
  const series = JSON.parse(figure.dataset.use), names = JSON.parse(figure.dataset.names);
  const at = Math.min(series[0].length - 1, Math.floor(share * series[0].length));
  const time = duration(Math.round(share * D.horizon_ms));
  return ['at ' + time].concat(series.map((s, i) => names[i] + ': ' + s[at] + figure.dataset.unit)).join('\n');
}
function hideCursors() {
  document.querySelectorAll('.cursor').forEach(c => { c.hidden = true; });
}
function showUse(area, share, at) {
  const cursor = area.querySelector('.cursor');
  cursor.hidden = false;
  cursor.style.left = share * 100 + '%';
  show(useText(area.closest('.use'), share), at);
}
function overUse(event) {
  const figure = event.target.closest('.use'), area = event.target.closest('.area');
  hideCursors();
  if (!figure || !area || !area.querySelector('svg')) return false;
  const box = area.getBoundingClientRect(), share = (event.clientX - box.left) / box.width;
  if (share < 0 || share > 1) return false;
  showUse(area, share, event);
  return true;
}
// Shows what is known of an element; false if that is nothing.
function tell(element, at) {
  const job = element.closest('[data-j]'), plain = element.closest('[data-tip]');
  light(job ? job.dataset.j : null);
  if (job) {
    const lane = job.closest('[data-k]');
    const task = element.dataset.t;
    show(jobText(job.dataset.j) + (task && lane ? taskText(task, lane.dataset.k) : ''), at);
  } else if (plain) {
    show(plain.dataset.tip, at);
  }
  return job !== null || plain !== null;
}
function hide() {
  light(null);
  hideCursors();
  tip.hidden = true;
}
function point(event) {
  if (!(event.target instanceof Element)) return;
  if (overUse(event)) { light(null); return; }
  if (!tell(event.target, event)) tip.hidden = true;
}
document.addEventListener('pointermove', point);
document.addEventListener('pointerdown', point);
document.addEventListener('pointerleave', hide);
function value(row, column) {
  const cells = [];
  for (const cell of row.cells) for (let i = 0; i < cell.colSpan; ++i) cells.push(cell);
  const cell = cells[column];
  return cell.dataset.v === undefined ? cell.textContent.toLowerCase() : Number(cell.dataset.v);
}
function sort(table, heading, column) {
  const down = heading.getAttribute('aria-sort') === 'ascending';
  table.querySelectorAll('[aria-sort]').forEach(h => h.removeAttribute('aria-sort'));
  heading.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  const body = table.tBodies[0];
  const rows = Array.from(body.rows, (row, i) => [value(row, column), i, row]);
  rows.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0) * (down ? -1 : 1) || a[1] - b[1]);
  body.append(...rows.map(r => r[2]));
}
document.querySelectorAll('table.sortable').forEach(table => {
  Array.from(table.tHead.rows[table.tHead.rows.length - 1].cells).forEach((heading, column) => {
    if (heading.classList.contains('chart')) return;
    const button = document.createElement('button');
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener('click', () => sort(table, heading, column));
  });
});
document.querySelectorAll('[data-filter]').forEach(input => {
  const rows = Array.from(document.getElementById(input.dataset.filter).tBodies[0].rows);
  const texts = rows.map(row => (row.cells[0].textContent + ' ' + row.cells[1].textContent).toLowerCase());
  const output = input.closest('.filter').querySelector('output');
  input.addEventListener('input', () => {
    const wanted = input.value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row, i) => { row.hidden = !texts[i].includes(wanted); shown += row.hidden ? 0 : 1; });
    output.textContent = wanted ? shown + ' of ' + rows.length : '';
    if (rows.length) oneStop(rows[0].parentElement);
  });
});
)js";

}  // namespace wavewright::report
