import type { ReactNode } from 'react'

/** What a state asks of a person: `good` done, `wait` nothing to do, `act` something to do, `bad` over, `quiet` no matter. */
export type Tone = 'good' | 'wait' | 'act' | 'bad' | 'quiet'

/** A state in a word. The word says everything; the colour only helps to find it. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }): ReactNode {
  return (
    <span className="my-badge" data-tone={tone}>
      {children}
    </span>
  )
}
