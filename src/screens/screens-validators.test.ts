import { expect, test } from 'vitest'
import { resources, views } from '#resources'
import { compileForm } from '../platform/http/server/form-validator.ts'
import { drawnSchema, hasForm } from './form-schema.ts'
import { validator } from './validator.ts'

const formed = [...resources, ...views].filter(hasForm)

/** Values that fit some fields and spoil others. */
const values = [
  '',
  ' ',
  '甲',
  'x'.repeat(300),
  '2026-02-28',
  '2026-02-30',
  '2026-02-28 08:00:00',
  '13800000000',
  '1380000000',
  '11010519491231002X',
  '110105194912310021',
  'a@example.org',
  'a@example',
  'https://example.org/a?b=c',
  'example',
  'A1',
  'ab{}',
  '0',
  0,
  1,
  2.5,
  -1,
  99_999_999_999,
  true,
  null,
  ['甲'],
  { a: 1 },
]

test.each(formed.map(one => [one.name, one] as const))(
  'the form of %s asks for what is required and judges every value as Ajv does',
  (_name, resource) => {
    const schema = drawnSchema(resource)
    const errorsOf = compileForm(schema)
    const found = (value: object) =>
      validator.validateFormData(value, schema as object).errors.map(({ name, property }) => `${property} ${name}`)
    const expected = (value: object) => errorsOf(value).map(({ path, keyword }) => `.${path.join('.')} ${keyword}`)
    expect(found({}).toSorted()).toEqual(schema.required.map(name => `.${name} required`).toSorted())
    for (const name of Object.keys(schema.properties))
      for (const value of values) {
        const spoiled = { [name]: value }
        expect([name, value, found(spoiled).toSorted()]).toEqual([name, value, expected(spoiled).toSorted()])
        expect(validator.isValid(schema as object, spoiled, schema as object)).toBe(expected(spoiled).length === 0)
      }
  },
)
