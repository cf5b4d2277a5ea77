// Tabs: each button shows the part of the page that it controls, and hides the others.
const tabs = [...document.querySelectorAll("[role=tab]")];
const panel = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
const show = (chosen) => {
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    panel(tab).hidden = tab !== chosen;
  }
};
for (const tab of tabs) tab.addEventListener("click", () => show(tab));
if (tabs.length) show(tabs.find((tab) => "#" + panel(tab).id === location.hash) || tabs[0]);

// Lists that load the page anew as soon as something is chosen.
for (const list of document.querySelectorAll("select[data-submit]")) list.addEventListener("change", () => list.form.submit());
