import { attach } from '#resources/resource/attach'
import { oss } from '#resources/resource/oss'
import { rules } from '../../../crud/rules.ts'
import { attachHooks } from './hooks.ts'
import { enableStorage, probeStorage, storageHooks, storageRules } from './storage.ts'

/** Rules of uploaded files and their storages beyond the definitions. */
export const attachmentRules = [
  rules(attach, { hooks: attachHooks }),
  rules(oss, { hooks: storageHooks, handlers: { enable: enableStorage, probe: probeStorage } }),
  ...storageRules,
]
