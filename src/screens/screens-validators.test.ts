import { loaders } from 'virtual:form-validators'
import { createPrecompiledValidator } from '@rjsf/validator-ajv8'
import { expect, test } from 'vitest'
import { resources } from '#resources'
import { drawnSchema, hasForm } from './form-schema.ts'

const formed = resources.filter(hasForm)

test.each(formed.map(one => [one.name, one] as const))(
  'the form of %s is compiled and runs',
  async (name, resource) => {
    const schema = drawnSchema(resource) as object
    const compiled = await loaders[name]?.()
    if (!compiled) throw new Error(`no validator for ${name}`)
    const validator = createPrecompiledValidator({ ...compiled }, schema)
    const { errors } = validator.validateFormData({}, schema)
    expect(errors.map(error => error.params?.missingProperty).toSorted()).toEqual(
      drawnSchema(resource).required.toSorted(),
    )
  },
)
