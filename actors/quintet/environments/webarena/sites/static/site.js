// Tabs: <div class="tabs"> with <button role="tab" aria-controls="ID"> and panels of these ids.
for (const tabs of document.querySelectorAll(".tabs")) {
  const buttons = [...tabs.querySelectorAll("[role=tab]")];
  const show = (chosen) => {
    for (const button of buttons) {
      const on = button === chosen;
      button.setAttribute("aria-selected", String(on));
      document.getElementById(button.getAttribute("aria-controls")).hidden = !on;
    }
  };
  for (const button of buttons) button.addEventListener("click", () => show(button));
  const named = buttons.find((button) => "#" + button.getAttribute("aria-controls") === location.hash);
  if (buttons.length) show(named || buttons[0]);
}

// Menus: <li class="menu"> with <button aria-expanded> and a list, which a hover shows by the stylesheet and a click by this.
for (const menu of document.querySelectorAll(".menu")) {
  const button = menu.querySelector("[aria-expanded]");
  button?.addEventListener("click", () => {
    button.setAttribute("aria-expanded", String(menu.classList.toggle("open")));
  });
}

// Selects that reload a listing at once.
for (const select of document.querySelectorAll("select[data-submit]")) {
  select.addEventListener("change", () => select.form.submit());
}

// Quantity: a minus and a plus beside a number.
for (const box of document.querySelectorAll(".quantity")) {
  const field = box.querySelector("input");
  for (const button of box.querySelectorAll("button[data-step]")) {
    button.addEventListener("click", () => {
      field.value = String(Math.max(1, (parseInt(field.value, 10) || 0) + Number(button.dataset.step)));
    });
  }
}
