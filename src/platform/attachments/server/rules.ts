import { oss } from '#resources/resource/oss'
import { rules } from '../../../crud/rules.ts'
import { enableStorage, probeStorage, storageHooks, storageRules } from './storage.ts'

/** Rules of the storages of files beyond the definitions. */
export const attachmentRules = [
  rules(oss, { hooks: storageHooks, handlers: { enable: enableStorage, probe: probeStorage } }),
  ...storageRules,
]
