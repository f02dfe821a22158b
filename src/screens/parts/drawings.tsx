import type { ReactNode } from 'react'

/*
 * What stands where there is nothing yet: 120 × 90, two strokes, without fills, so that they are right by day and by night. They say
 * nothing that the sentence below does not say.
 */

const quiet = 'var(--jx-ink-3)'
const lively = 'var(--jx-primary)'

const pictures = {
  /** Nobody is there: a chair. */
  chair: (
    <>
      <path stroke={quiet} d="M18 80h84M44 16v34M76 16v34M44 24h32M44 34h32M40 50h40M44 50l-6 30M76 50l6 30M41 66h38" />
      <path stroke={lively} d="M46 46h28" />
    </>
  ),
  /** No ticket: a ticket with its stub. */
  ticket: (
    <>
      <path
        stroke={quiet}
        d="M20 26h80v12a7 7 0 0 0 0 14v12H20V52a7 7 0 0 0 0-14zM78 26v6M78 38v6M78 50v6M78 60v4M18 80h84"
      />
      <path stroke={lively} d="M34 38h30M34 46h22M34 54h14" />
    </>
  ),
  /** No money: coins. */
  coin: (
    <>
      <path stroke={quiet} d="M26 68h44M26 60h44M26 60v16h44V60M18 80h84M26 52h44v8H26z" />
      <path stroke={lively} d="M84 20a16 16 0 1 0 .1 0M78 29l6 7 6-7M84 36v10M79 39h10M79 43h10" />
    </>
  ),
  /** Nothing is found: a magnifier. */
  magnifier: (
    <>
      <path stroke={quiet} d="M54 14a24 24 0 1 0 .1 0M72 55l22 22M18 80h54" />
      <path stroke={lively} d="M42 38h24" />
    </>
  ),
  /** Nothing waits: an empty tray. */
  tray: (
    <>
      <path stroke={quiet} d="M18 80h84M24 52l10-30h52l10 30v20H24zM24 52h22c0 8 5 12 14 12s14-4 14-12h22" />
      <path stroke={lively} d="M50 38l8 8 14-16" />
    </>
  ),
  /** Nothing is written: a letter. */
  letter: (
    <>
      <path stroke={quiet} d="M26 24h68v46H26zM26 70l24-24M94 70 70 46M18 80h84" />
      <path stroke={lively} d="M26 24l34 28 34-28" />
    </>
  ),
} satisfies Record<string, ReactNode>

/** What can be drawn. */
export type Picture = keyof typeof pictures

/** A drawing for a place where there is nothing; nothing for whoever hears the page. */
export default function Drawing({ of }: { of: Picture }) {
  return (
    <svg
      aria-hidden
      width={120}
      height={90}
      viewBox="0 0 120 90"
      fill="none"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {pictures[of]}
    </svg>
  )
}
