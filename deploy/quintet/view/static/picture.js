// A tree drawn on a canvas, so that ten thousand nodes are one picture: depth to the right, leaves below each other.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { html } from "view/html";

const MARGIN = 18;

/** Places each node: x is its depth, y the middle of its children; both from 0 to 1. */
function layOut(nodes) {
  const all = [...nodes.values()];
  const deepest = Math.max(1, ...all.map((node) => node.row[1]));
  const places = new Map();
  let leaves = 0;
  for (const node of all) if (!node.children.length) places.set(node, { y: leaves++ });
  for (const node of all.reverse()) {
    if (node.children.length) {
      const [low, high] = [places.get(node.children[0]).y, places.get(node.children.at(-1)).y];
      places.set(node, { y: (low + high) / 2 });
    }
    places.get(node).x = node.row[1] / deepest;
  }
  for (const place of places.values()) place.y = leaves > 1 ? place.y / (leaves - 1) : 0.5;
  return places;
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function TreePicture({ nodes, chosen, onChoose }) {
  const canvas = useRef(null);
  const places = useMemo(() => layOut(nodes), [nodes]);
  const [sight, setSight] = useState({ scale: 1, x: 0, y: 0 });
  const [size, setSize] = useState([0, 0]);
  const dragged = useRef(null);
  useEffect(() => {
    const measure = () => canvas.current && setSize([canvas.current.clientWidth, canvas.current.clientHeight]);
    const observer = new ResizeObserver(measure);
    observer.observe(canvas.current);
    const media = matchMedia("(prefers-color-scheme: dark)");
    const again = () => setSight((before) => ({ ...before }));
    media.addEventListener("change", again);
    measure();
    return () => {
      observer.disconnect();
      media.removeEventListener("change", again);
    };
  }, []);
  const at = (place) => [MARGIN + (place.x * (size[0] - 2 * MARGIN) + sight.x) * sight.scale, MARGIN + (place.y * (size[1] - 2 * MARGIN) + sight.y) * sight.scale];
  useEffect(() => {
    const [width, height] = size;
    if (!width) return;
    const ratio = devicePixelRatio || 1;
    canvas.current.width = width * ratio;
    canvas.current.height = height * ratio;
    const pen = canvas.current.getContext("2d");
    pen.scale(ratio, ratio);
    const [line, faint, good, accent, poor] = ["--strong", "--faint", "--good", "--accent", "--poor"].map(colour);
    const edges = (of, style, thick) => {
      pen.strokeStyle = style;
      pen.lineWidth = thick;
      pen.beginPath();
      for (const [node, place] of places) {
        if (!node.up || !of(node)) continue;
        const [[fromX, fromY], [toX, toY]] = [at(places.get(node.up)), at(place)];
        pen.moveTo(fromX, fromY);
        pen.bezierCurveTo((fromX + toX) / 2, fromY, (fromX + toX) / 2, toY, toX, toY);
      }
      pen.stroke();
    };
    edges((node) => node.row[9] !== "chosen", line, 1);
    edges((node) => node.row[9] === "chosen", good, 2.5);
    const many = places.size > 1500;
    const radius = Math.min(6, (many ? 1.8 : 3.6) * Math.sqrt(sight.scale));
    for (const [node, place] of places) {
      const [x, y] = at(place);
      if (x < -9 || y < -9 || x > width + 9 || y > height + 9) continue;
      const [value, standing] = [node.row[4] ?? node.row[6], node.row[9]];
      pen.globalAlpha = standing === "pruned" ? 0.55 : value === null ? 0.9 : 0.35 + 0.65 * Math.max(0, Math.min(1, value));
      pen.fillStyle = standing === "chosen" ? good : standing === "pruned" ? poor : value === null ? faint : accent;
      pen.beginPath();
      pen.arc(x, y, standing === "chosen" ? radius + 1 : radius, 0, 7);
      pen.fill();
    }
    pen.globalAlpha = 1;
    const selected = places.get(nodes.get(chosen));
    if (selected) {
      const [x, y] = at(selected);
      pen.strokeStyle = colour("--text");
      pen.lineWidth = 2;
      pen.beginPath();
      pen.arc(x, y, radius + 4, 0, 7);
      pen.stroke();
    }
  }, [places, sight, size, chosen]);
  const nearest = (event) => {
    const box = canvas.current.getBoundingClientRect();
    let [best, least] = [null, 400];
    for (const [node, place] of places) {
      const [x, y] = at(place);
      const far = (x - event.clientX + box.left) ** 2 + (y - event.clientY + box.top) ** 2;
      if (far < least) [best, least] = [node, far];
    }
    return best;
  };
  const zoom = (event) => {
    event.preventDefault();
    const box = canvas.current.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left - MARGIN, event.clientY - box.top - MARGIN];
    const scale = Math.max(1, Math.min(60, sight.scale * Math.exp(-event.deltaY / 300)));
    setSight(scale === 1 ? { scale, x: 0, y: 0 } : { scale, x: sight.x + x / scale - x / sight.scale, y: sight.y + y / scale - y / sight.scale });
  };
  const press = (event) => (dragged.current = { x: event.clientX, y: event.clientY, sight, moved: false });
  const move = (event) => {
    const from = dragged.current;
    if (!from || !event.buttons) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (Math.abs(dx) + Math.abs(dy) < 4 && !from.moved) return;
    from.moved = true;
    setSight({ ...from.sight, x: from.sight.x + dx / from.sight.scale, y: from.sight.y + dy / from.sight.scale });
  };
  const release = (event) => {
    const found = dragged.current?.moved ? null : nearest(event);
    dragged.current = null;
    if (found) onChoose(found.row[0]);
  };
  return html`<canvas ref=${canvas} class="picture" role="img" aria-label=${`a tree of ${nodes.size} nodes`} title="wheel: closer; drag: move; click: choose" onWheel=${zoom} onPointerDown=${press} onPointerMove=${move} onPointerUp=${release} onDblClick=${() => setSight({ scale: 1, x: 0, y: 0 })}></canvas>`;
}
