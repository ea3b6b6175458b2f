(() => {
  "use strict";
  const form = document.getElementById("filter"), status = document.getElementById("status");
  const clips = [...document.querySelectorAll(".clip")].map(node => ({
    node, id: node.querySelector("h3").textContent,
    arms: [...node.querySelectorAll(".arm[data-arm]")], said: node.querySelector(".said"), texts: null}));
  const flat = s => s.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ");
  const unseen = ".am-h,.am-b,.am-x,.am-w,del";
  const draft = node => node.nodeType === 3 ? node.data : node.nodeType === 1 && node.matches(unseen) ? ""
    : [...node.childNodes].map(draft).join("");
  const texts = clip => clip.texts ||= {
    id: flat(clip.id), said: clip.said ? flat(draft(clip.said.querySelector(".am-text"))) : "",
    arms: clip.arms.map(a => flat(draft(a.querySelector(".am-text"))))};
  const rest = document.getElementById("rest");

  function apply() {
    const text = flat(form.text.value).trim(), arm = form.arm.value, kind = form.kind.value;
    let shown = 0;
    for (const clip of clips) {
      let any = false;
      const found = text ? texts(clip) : null;
      const everywhere = !text || found.id.includes(text) || found.said.includes(text);
      clip.arms.forEach((row, n) => {
        const here = !arm || row.dataset.arm === arm;
        row.hidden = !here;
        const kinds = row.dataset.kinds;
        const right = !kind || (kind === "none" ? !/[SDIF]/.test(kinds) : kinds.includes(kind));
        if (here && right && (everywhere || found.arms[n].includes(text))) any = true;
      });
      clip.node.hidden = !any;
      shown += any;
    }
    if (rest && (text || arm || kind)) rest.open = true;
    status.textContent = `${shown} of ${clips.length} clips`;
  }
  let waiting;
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(apply, 120); });
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", event => { event.preventDefault(); apply(); });
  form.hidden = false;
  apply();
})();
