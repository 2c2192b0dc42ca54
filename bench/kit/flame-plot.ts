/** A flame graph as SVG: the width is time, and each box was called by the one below it. */
import { draw } from './plots.ts'

export type Flame = {
  name: string
  /** Address of the file; the empty string: V8 itself. */
  place: string
  /** Microseconds, including those of its children. */
  time: number
  children: Flame[]
}

const ROW = 15
const HEAD = 34
/** Narrower boxes are omitted. */
const SHARE_MIN = 0.002
const DEPTH_MAX = 44
/** Colours distinguish Platbook's code from the framework's and Node's. */
const COLORS: [RegExp, string][] = [
  [/\/src\/layout\//, '#e08e45'],
  [/\/src\/store\//, '#6b8e4e'],
  [/\/src\//, '#d4b106'],
  [/node_modules/, '#8ab4c9'],
  [/^node:/, '#b9c4cb'],
  [/./, '#ccc'],
]

type Box = { name: string; color: string; from: number; to: number; depth: number }

export function drawFlame(title: string, flame: Flame): string {
  const boxes: Box[] = []
  const place = (node: Flame, from: number, depth: number) => {
    const to = from + node.time
    if ((to - from) / flame.time < SHARE_MIN || depth > DEPTH_MAX) return
    const color = COLORS.find(([pattern]) => pattern.test(node.place))?.[1] ?? '#ddd'
    boxes.push({ name: node.name, color, from: from / flame.time, to: to / flame.time, depth })
    let next = from
    for (const child of node.children.toSorted((a, b) => b.time - a.time)) {
      place(child, next, depth + 1)
      next += child.time
    }
  }
  place(flame, 0, 0)
  const depth = Math.max(...boxes.map((box) => box.depth)) + 1
  const height = HEAD + depth * ROW + 6
  return draw(height, {
    title: { text: title, left: 4, top: 2, textStyle: { fontFamily: 'sans-serif', fontSize: 15 } },
    grid: { left: 4, right: 4, top: HEAD, bottom: 6 },
    xAxis: { show: false, min: 0, max: 1 },
    yAxis: { show: false, min: 0, max: depth },
    series: [
      {
        type: 'custom',
        data: boxes.map(({ from, to, depth: row }, at) => [at, from, to, row]),
        renderItem: (_: unknown, api: Api) => showBox(boxes[api.value(0)] as Box, api),
      },
    ],
  })
}

/** What ECharts gives to draw one item of a series with. */
type Api = { value(dimension: number): number; coord(point: [number, number]): [number, number] }

function showBox({ name, color, from, to, depth }: Box, api: Api) {
  const [left, bottom] = api.coord([from, depth])
  const [right] = api.coord([to, depth])
  const width = Math.max(0, right - left - 0.5)
  const letters = Math.floor(width / 5.6)
  return {
    type: 'rect',
    shape: { x: left, y: bottom - ROW, width, height: ROW - 1 },
    style: { fill: color },
    textConfig: { position: 'insideLeft', distance: 2 },
    textContent: {
      style: {
        text: letters < 3 ? '' : name.slice(0, letters),
        fill: '#222',
        fontFamily: 'sans-serif',
        fontSize: 10,
      },
    },
  }
}
