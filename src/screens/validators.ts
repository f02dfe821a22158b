import { fileURLToPath } from 'node:url'
import { compileSchemaValidatorsCode } from '@rjsf/validator-ajv8/compileSchemaValidators'
import { _ } from 'ajv'
import type { Plugin } from 'vite'
import { resources, views } from '#resources'
import { drawnSchema, hasForm } from './form-schema.ts'
import { formats } from './validator-formats.ts'

/** Module that answers the validators of a form by the name of its resource. */
const FORMS = 'virtual:form-validators'

const helpers = fileURLToPath(new URL('./validator-parts.ts', import.meta.url))

/** The code of the validators of one resource's form: an ES module without `eval` and without ajv. */
export function validatorCode(name: string): string {
  const resource = [...resources, ...views].find(one => one.name === name)
  if (!resource) throw new Error(`No resource is called "${name}"`)
  const code = compileSchemaValidatorsCode(drawnSchema(resource) as object, {
    customFormats: { ...formats },
    ajvFormatOptions: false,
    ajvOptionsOverrides: { allErrors: true, code: { esm: true, lines: false, formats: _`formats` } },
  })
  return `import { formats, require } from ${JSON.stringify(helpers)}\n${code}`
}

function indexCode(): string {
  const names = [...resources, ...views].filter(hasForm).map(one => one.name)
  const lines = names.map(name => `  '${name}': () => import('${FORMS}/${name}'),`)
  return `export const loaders = {\n${lines.join('\n')}\n}\n`
}

/**
 * Compiles the form of every resource when the application is built, one lazily loaded module each: the browser may not
 * evaluate text, so it cannot compile schemas itself.
 */
export function validators(): Plugin {
  return {
    name: 'form-validators',
    resolveId: source => (source === FORMS || source.startsWith(`${FORMS}/`) ? `\0${source}` : undefined),
    load: id => {
      if (id === `\0${FORMS}`) return indexCode()
      return id.startsWith(`\0${FORMS}/`) ? validatorCode(id.slice(FORMS.length + 2)) : undefined
    },
  }
}
