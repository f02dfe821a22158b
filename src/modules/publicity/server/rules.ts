import { objectionRules } from './objection.ts'
import { releaseRules } from './release.ts'

/** Rules of public lists, their lines, and objections against them. */
export const publicityRules = [...releaseRules, ...objectionRules]
