#include "wavewright/report/page/assets.h"

namespace wavewright::report {

// Continues page_script: keyboard, zoom, colours.
const std::string_view page_controls = R"js(
// Charts are one stop of the Tab key each; arrow keys go from one box, dot or instant to the next.
const boxes = 'rect[data-t], [data-tip], g.job:not(:has(rect))';
function middle(element) {
  const box = element.getBoundingClientRect();
  return {element, x: box.left + box.width / 2, y: box.top + box.height / 2, box};
}
// In rows from left to right; without rows, by time.
function spots(stop) {
  const rows = stop.matches('.lane') && stop.querySelector('rect[data-t]') !== null;
  const all = Array.from(stop.querySelectorAll(boxes), middle);
  if (stop.matches('table')) return all;
  return all.sort((a, b) => (rows && Math.abs(a.y - b.y) > 2 ? a.y - b.y : a.x - b.x || a.y - b.y));
}
// The nearest spot in the row above (-1) or below (1).
function across(all, from, way) {
  let best = -1, row = Infinity;
  const gap = spot => (spot.y - all[from].y) * way;
  all.forEach(spot => { if (gap(spot) > 2) row = Math.min(row, gap(spot)); });
  all.forEach((spot, i) => {
    if (Math.abs(gap(spot) - row) > 2) return;
    if (best < 0 || Math.abs(spot.x - all[from].x) < Math.abs(all[best].x - all[from].x)) best = i;
  });
  return best < 0 ? from : best;
}
function stepTo(key, at, last, up, page) {
  switch (key) {
    case 'ArrowRight': return Math.min(last, at + 1);
    case 'ArrowLeft': return Math.max(0, at - 1);
    case 'PageDown': return Math.min(last, at + page);
    case 'PageUp': return Math.max(0, at - page);
    case 'Home': return 0;
    case 'End': return last;
    case 'ArrowDown': return up(1);
    case 'ArrowUp': return up(-1);
    default: return -1;
  }
}
function unmark() {
  document.querySelectorAll('.at').forEach(element => element.classList.remove('at'));
}
function mark(spot) {
  unmark();
  spot.element.classList.add('at');
  spot.element.scrollIntoView({block: 'nearest', inline: 'nearest'});
  const now = middle(spot.element);
  tell(spot.element, {clientX: now.x, clientY: now.box.bottom - 8});
}
function chart(stop, label) {
  stop.tabIndex = 0;
  if (!stop.matches('table')) stop.setAttribute('role', 'application');
  if (!stop.hasAttribute('aria-label')) stop.setAttribute('aria-label', label + '; arrow keys go through it');
  const curves = stop.closest('.use') !== null;
  let at = -1;
  function instant(next) {
    at = next;
    const box = stop.getBoundingClientRect(), share = (at + 0.5) / 250;
    showUse(stop, share, {clientX: box.left + share * box.width, clientY: box.top + box.height / 2});
  }
  stop.addEventListener('keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') { hide(); unmark(); return; }
    const all = curves ? [] : spots(stop), last = curves ? 249 : all.length - 1;
    const next = at < 0 && /^(Arrow|Page)/.test(event.key) ? 0 : stepTo(event.key, at, last,
      way => (curves || !stop.matches('.lane') ? Math.max(0, Math.min(last, at + way)) : across(all, at, way)), 10);
    if (next < 0 || last < 0) return;
    event.preventDefault();
    if (curves) { instant(next); return; }
    at = next;
    mark(all[at]);
  });
  stop.addEventListener('focus', () => {
    if (!stop.matches(':focus-visible')) return;
    if (curves) instant(Math.max(0, at)); else { const all = spots(stop); at = Math.max(0, Math.min(at, all.length - 1)); if (all.length) mark(all[at]); }
  });
  stop.addEventListener('blur', () => { hide(); unmark(); });
}
function titleOf(stop) {
  const title = stop.querySelector('svg title'), caption = stop.closest('figure')?.querySelector('figcaption');
  return (title || caption)?.textContent || 'Chart';
}
document.querySelectorAll('.lane').forEach(lane => chart(lane, titleOf(lane)));
document.querySelectorAll('.area').forEach(area => {
  if (area.querySelector('.lane') || area.closest('td, th')) return;
  if (area.querySelector('[data-tip]') || (area.closest('.use') && area.querySelector('svg'))) chart(area, titleOf(area));
});
document.querySelectorAll('.parts').forEach(parts => chart(parts, 'Parts of the time'));
document.querySelectorAll('table.bars').forEach(table => {
  if (table.querySelector('[data-tip]')) chart(table, 'Bars');
});

// Rows that tell more when they are pointed at are one stop a table.
function rowsOf(body) {
  return Array.from(body.querySelectorAll('tr[data-j], tr[data-tip]')).filter(row => !row.hidden);
}
function oneStop(body) {
  body.querySelectorAll('tr[tabindex]').forEach(row => row.removeAttribute('tabindex'));
  const first = rowsOf(body)[0];
  if (first) first.tabIndex = 0;
}
document.querySelectorAll('table.data tbody').forEach(body => {
  if (!rowsOf(body).length) return;
  oneStop(body);
  body.addEventListener('keydown', event => {
    if (event.key === 'Escape') { hide(); return; }
    if (!event.target.matches('tr') || !/^(ArrowUp|ArrowDown|Home|End|PageUp|PageDown)$/.test(event.key)) return;
    const rows = rowsOf(body), from = rows.indexOf(event.target), last = rows.length - 1;
    const next = stepTo(event.key, from, last, way => Math.max(0, Math.min(last, from + way)), 10);
    event.preventDefault();
    event.target.removeAttribute('tabindex');
    rows[next].tabIndex = 0;
    rows[next].focus();
  });
  body.addEventListener('focusin', event => {
    if (!event.target.matches('tr:focus-visible')) return;
    const box = event.target.getBoundingClientRect();
    tell(event.target, {clientX: Math.max(0, box.left) + 40, clientY: box.bottom - 12});
  });
  body.addEventListener('focusout', hide);
});

// Time axes that one long tail stretches can be zoomed; charts of one axis zoom and scroll together.
const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 15000, 30000, 60000, 120000, 300000, 600000, 900000, 1800000, 3600000, 7200000, 21600000, 43200000];
for (let days = 86400000; days < 1e15; days *= 10) steps.push(days, 2 * days, 5 * days);
function clock(ms) {
  const parts = [[86400000, 'd'], [3600000, 'h'], [60000, 'm'], [1000, 's'], [1, 'ms']], text = [];
  for (const [size, name] of parts) {
    if (ms >= size) text.push(Math.floor(ms / size) + name);
    ms %= size;
  }
  return text.length === 1 && text[0].endsWith('m') ? text[0] + 'in' : text.slice(0, 3).join('') || '0';
}
function relabel(axis, zoom) {
  if (!axis.whole) axis.whole = Array.from(axis.childNodes);
  if (zoom === 1) { axis.replaceChildren(...axis.whole); return; }
  const from = Number(axis.dataset.start), length = Number(axis.dataset.end) - from;
  const step = steps.find(each => length / each <= 6 * zoom) || steps[steps.length - 1];
  const pins = [];
  for (let at = Math.ceil(from / step) * step; at <= from + length; at += step) {
    const pin = document.createElement('span'), place = (at - from) / length;
    pin.className = 'pin' + (place <= 0 ? ' start' : place > 1 - 0.03 / zoom ? ' end' : '');
    pin.style.left = place * 100 + '%';
    pin.textContent = clock(at);
    pins.push(pin);
  }
  axis.replaceChildren(...pins);
}
const zooms = new Map();
document.querySelectorAll('.zoomable').forEach(box => {
  const group = zooms.get(box.dataset.zoom) || {boxes: [], zoom: 1, panels: []};
  zooms.set(box.dataset.zoom, group);
  group.boxes.push(box);
  box.addEventListener('scroll', () => group.boxes.forEach(other => {
    if (other !== box && Math.abs(other.scrollLeft - box.scrollLeft) > 1) other.scrollLeft = box.scrollLeft;
  }));
});
function setZoom(group, zoom) {
  const first = group.boxes.find(box => box.clientWidth) || group.boxes[0];
  const share = (first.scrollLeft + first.clientWidth / 2) / first.scrollWidth;
  const held = first.scrollLeft > 0 ? share : 0;
  group.zoom = zoom;
  group.boxes.forEach(box => {
    box.classList.toggle('zoomed', zoom > 1);
    box.style.setProperty('--zoom', zoom);
    box.querySelectorAll('.axis[data-end]').forEach(axis => relabel(axis, zoom));
  });
  first.scrollLeft = held * first.scrollWidth - first.clientWidth / 2;
  group.panels.forEach(panel => {
    panel.querySelector('output').textContent = '×' + zoom;
    panel.querySelectorAll('button').forEach(button => {
      button.disabled = button.dataset.way === 'in' ? zoom >= 64 : zoom <= 1;
    });
  });
}
zooms.forEach(group => {
  const sections = new Set(group.boxes.map(box => box.closest('section')));
  sections.forEach(section => {
    const panel = document.createElement('div');
    panel.className = 'zoom';
    panel.setAttribute('role', 'group');
    panel.setAttribute('aria-label', 'Zoom of the time axis');
    const words = document.createElement('span');
    words.textContent = 'Time axis';
    const output = document.createElement('output');
    panel.append(words);
    [['out', '−', 'Zoom out'], ['in', '+', 'Zoom in'], ['all', 'All', 'Show all of the axis']].forEach(([way, text, name]) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.dataset.way = way;
      button.textContent = text;
      button.setAttribute('aria-label', name);
      button.addEventListener('click', () =>
        setZoom(group, way === 'in' ? Math.min(64, group.zoom * 2) : way === 'out' ? Math.max(1, group.zoom / 2) : 1));
      panel.append(button);
      if (way === 'out') panel.append(output);
    });
    group.panels.push(panel);
    section.querySelector('figure').before(panel);
  });
  setZoom(group, 1);
});

// Beyond ten jobs, colours can follow another fact than the order of submission.
const facts = [['name', 1], ['user', 2], ['queue', 3]], own = 9;
function colourOf(element, name) {
  element.setAttribute('class', element.getAttribute('class').replace(/(^|\s)[cs]\d+(?=\s|$)/, '$1' + name));
}
function ranked(fact) {
  const counts = new Map();
  D.jobs.forEach(job => counts.set(job[fact], (counts.get(job[fact]) || 0) + 1));
  return Array.from(counts).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
function keyOf(name, text, count) {
  const key = document.createElement('span'), swatch = document.createElement('i'), words = document.createElement('bdi'), small = document.createElement('small');
  key.className = 'key';
  swatch.className = 'swatch ' + name;
  words.textContent = text;
  small.textContent = count + (count === 1 ? ' job' : ' jobs');
  key.append(swatch, words, small);
  return key;
}
document.querySelectorAll('.job-keys').forEach(keys => {
  const offered = facts.filter(([, fact]) => ranked(fact).length > 1);
  if (D.jobs.length <= 10 || !offered.length) return;
  const whole = Array.from(keys.childNodes), coloured = [];
  document.querySelectorAll('[data-j]').forEach(element => {
    [element, ...element.querySelectorAll('.swatch, .part')].forEach(each => {
      const found = /(?:^|\s)(s\d+)(?:\s|$)/.exec(each.getAttribute('class') || '');
      if (found) coloured.push([each, Number(element.dataset.j), found[1]]);
    });
  });
  const label = document.createElement('label'), select = document.createElement('select');
  label.className = 'colours';
  label.append('Colours by ', select);
  [['submission', 0], ...offered].forEach(([text, fact]) => {
    const option = document.createElement('option');
    option.value = fact;
    option.textContent = text;
    select.append(option);
  });
  select.addEventListener('change', () => {
    const fact = Number(select.value);
    if (!fact) {
      coloured.forEach(([element, , usual]) => colourOf(element, usual));
      keys.replaceChildren(...whole);
      return;
    }
    const groups = ranked(fact), place = new Map(groups.map(([text], i) => [text, i]));
    const name = i => 'c' + Math.min(own, i);
    coloured.forEach(([element, job]) => colourOf(element, name(place.get(D.jobs[job][fact]))));
    const shown = groups.length === own + 1 ? groups.length : own;
    const legend = groups.slice(0, shown).map(([text, count], i) => keyOf(name(i), text || 'none', count));
    const rest = groups.slice(shown);
    if (rest.length) legend.push(keyOf(name(own), rest.length + ' others', rest.reduce((sum, group) => sum + group[1], 0)));
    keys.replaceChildren(...legend);
  });
  keys.before(label);
});
document.documentElement.dataset.ready = '1';
})();
)js";

}  // namespace wavewright::report
