import { code } from '#resources/development/code'
import { datasource } from '#resources/development/datasource'
import { model } from '#resources/development/model'
import { rules } from '../../../crud/rules.ts'
import { copyCode, testSource } from './handlers.ts'
import { codeHooks, datasourceHooks, modelHooks } from './hooks.ts'

/** Rules of models, their sources and the settings of generated code beyond their definitions. */
export const developmentRules = [
  rules(datasource, { hooks: datasourceHooks, handlers: { test: testSource } }),
  rules(model, { hooks: modelHooks }),
  rules(code, { routed: ['generate'], hooks: codeHooks, handlers: { copy: copyCode } }),
]
