import type { SignupParts } from '../../../sign-up/pages/parts/signup-parts.ts'
import { AdjustSection } from './AdjustSection.tsx'
import { AdjustSwitch } from './AdjustSwitch.tsx'

/** What reduction shows on the page of a sign-up. */
export const adjustParts: SignupParts = { name: 'reduction', head: AdjustSwitch, section: AdjustSection }
