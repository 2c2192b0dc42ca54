/** Plots as SVG text, drawn by ECharts without a browser. */
import { requirePackages } from './packages.ts'

const WIDTH = 760
/** The first is grey: the others are compared with it. */
const COLORS = ['#99a8b2', '#1f6f8b', '#e08e45', '#b5534c', '#6b8e4e', '#8064a2', '#d4b106']
const TEXT = { fontFamily: 'sans-serif', fontSize: 12, color: '#333' }

type Bars = {
  title: string
  unit: string
  /** One name per group of bars. */
  groups: string[]
  /** A value per group; `null`: none. */
  series: { name: string; values: (number | null)[] }[]
  logarithmic?: boolean
}

/** Draws groups of horizontal bars with their values at the ends. */
export function drawBars({ title, unit, groups, series, logarithmic = false }: Bars): string {
  return draw(100 + groups.length * (14 + series.length * 17), {
    title: { text: title, left: 4, top: 2, textStyle: { ...TEXT, fontSize: 15 } },
    legend: { top: 28, left: 4, itemGap: 24, textStyle: TEXT },
    grid: { left: 40, right: 70, top: 66, bottom: 8, containLabel: true },
    xAxis: { type: logarithmic ? 'log' : 'value', name: unit, axisLabel: TEXT },
    yAxis: { type: 'category', data: groups, inverse: true, axisLabel: TEXT },
    series: series.map(({ name, values }) => ({
      name,
      type: 'bar',
      data: values,
      label: { show: true, position: 'right', ...TEXT, fontSize: 11, formatter: showValue },
    })),
  })
}

function showValue({ value }: { value: number | null }): string {
  return value === null ? '' : value.toLocaleString('en-US')
}

/** Draws an ECharts option. */
function draw(height: number, option: Record<string, unknown>): string {
  const echarts = requirePackages()('echarts')
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height })
  chart.setOption({ animation: false, backgroundColor: '#fff', color: COLORS, ...option })
  const svg: string = chart.renderToSVGString()
  chart.dispose()
  return `${svg}\n`
}
