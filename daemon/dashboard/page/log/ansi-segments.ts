import Anser from 'anser'
import type { VisibleLine } from './visible-text.ts'

/** A part of a line in one style. `className` is empty for plain text. */
export interface Segment {
  readonly text: string
  readonly className: string
}

/**
 * Splits a line into parts of one style. The theme has a few colours that are readable on its background, so that a
 * colour of the terminal becomes the theme's colour of the nearest hue.
 */
export function segmentsOf({ text, styled }: VisibleLine): readonly Segment[] {
  if (styled === undefined) return [{ text, className: '' }]
  const parts = Anser.ansiToJson(styled, { json: true, use_classes: true, remove_empty: true })
  return parts.map((part) => ({ text: part.content, className: classesOf(part).join(' ') }))
}

type Part = ReturnType<typeof Anser.ansiToJson>[number]

/** Text on a coloured background keeps the text colour of the theme: any other pair could be unreadable. */
function classesOf({ fg, bg, fg_truecolor, bg_truecolor, decorations }: Part): string[] {
  const isReversed = decorations.includes('reverse')
  const front = colourOf(fg, fg_truecolor)
  const back = isReversed ? (front ?? 'grey') : bg && (colourOf(bg, bg_truecolor) ?? 'grey')
  const ink = decorations.includes('dim') ? (front ?? 'grey') : front
  return [
    ...(back ? [`log-on-${back}`] : ink ? [`log-${ink}`] : []),
    ...['bold', 'italic', 'underline', 'strikethrough']
      .filter((name) => decorations.some((decoration) => decoration === name))
      .map((name) => `log-${name}`),
  ]
}

type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'grey'

/** Returns undefined for black and white: they are the text colour of a light or of a dark terminal. */
function colourOf(name: string | null, truecolor: string | null): Colour | undefined {
  if (!name) return undefined
  if (name === 'ansi-truecolor') return nearest((truecolor ?? '').split(',').map(Number))
  const palette = /^ansi-palette-(\d+)$/.exec(name)?.[1]
  if (palette !== undefined) return nearest(paletteColour(Number(palette)))
  if (name === 'ansi-bright-black') return 'grey'
  return colours.find((colour) => name.endsWith(`-${colour}`))
}

const colours: readonly Colour[] = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan']
const levels = [0, 95, 135, 175, 215, 255]

/** Returns red, green and blue of an entry of the 256-colour palette, from 16 on. */
function paletteColour(index: number): number[] {
  if (index >= 232) return Array(3).fill(8 + (index - 232) * 10)
  const cell = index - 16
  return [Math.floor(cell / 36), Math.floor(cell / 6) % 6, cell % 6].map((at) => levels[at] ?? 0)
}

/** Hues in degrees up to which a colour counts. */
const hues: readonly (readonly [number, Colour])[] = [
  [20, 'red'],
  [70, 'yellow'],
  [160, 'green'],
  [200, 'cyan'],
  [265, 'blue'],
  [335, 'magenta'],
  [360, 'red'],
]

function nearest([red = 0, green = 0, blue = 0]: readonly number[]): Colour | undefined {
  const high = Math.max(red, green, blue)
  const range = high - Math.min(red, green, blue)
  if (range < 40) return high > 60 && high < 190 ? 'grey' : undefined
  const sector =
    high === red
      ? (green - blue) / range
      : high === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range
  const hue = (sector * 60 + 360) % 360
  return hues.find(([end]) => hue <= end)?.[1]
}
