import { code } from '#resources/development/code'
import { datasource } from '#resources/development/datasource'
import { rules } from '../../../crud/rules.ts'
import { copyCode, testSource } from './handlers.ts'
import { codeHooks, datasourceHooks } from './hooks.ts'

/** Rules of data sources and the settings of generated code beyond their definitions. */
export const developmentRules = [
  rules(datasource, { hooks: datasourceHooks, handlers: { test: testSource } }),
  rules(code, { routed: ['generate'], hooks: codeHooks, handlers: { copy: copyCode } }),
]
