import type { ComponentType } from 'react'
import type { Mine } from '../../contract.ts'

/** A sign-up of the candidate, and what to call when something about it has changed. */
export interface SignupPartProps {
  readonly of: Mine
  readonly onChange: () => void
}

/** What a later module shows on the page of a sign-up. */
export interface SignupParts {
  /** Name of the module. */
  readonly name: string
  /** In the first section, below the facts. */
  readonly head: ComponentType<SignupPartProps>
  /** A section of its own, after the first one. */
  readonly section: ComponentType<SignupPartProps>
}
