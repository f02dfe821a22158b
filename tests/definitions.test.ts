import { describe, expect, test } from 'vitest'
import type { Resource } from '#engine'
import { modules, resources, views } from '#resources'
import { entities } from '#schemas'
import { definitionProblems } from '../src/crud/definitions.ts'
import { rules } from '../src/server/rules.ts'

const listed: Resource = resources.find(one => one.name === 'postreductionname')!
const roundTrip = (value: unknown) => JSON.parse(JSON.stringify(value))

describe('definitions', () => {
  test('and rules fit together', () => expect(definitionProblems(resources, rules, views)).toEqual([]))

  test('an action refuses with what has a text', () => {
    const [name, action] = Object.entries(listed.actions)[0]!
    const wrong = { ...listed, actions: { [name]: { ...(action as object), refusal: 'reduction.chosn' } } }
    const problems = definitionProblems([wrong as unknown as Resource], {})
    expect(problems).toContain(`resources: ${listed.name}: action ${name}: there is no refusal reduction.chosn`)
  })

  test.each(entities.map(one => [one.name, one] as const))('schema %s is plain JSON', (_, entity) => {
    expect(roundTrip(entity)).toEqual(entity)
  })

  test.each([...resources, ...views].map(one => [one.name, one] as const))(
    'resource %s is plain JSON',
    (_, resource: Resource) => {
      expect(roundTrip(resource)).toEqual(resource)
    },
  )

  test('every resource and every view that a file defines has its place in the menu', () => {
    const files = import.meta.glob<Record<string, unknown>>('../resources/*/*.ts', { eager: true })
    const defined = Object.values(files).flatMap(file => Object.values(file))
    const offered = defined.filter((one): one is Resource => typeof one === 'object' && one !== null && 'entity' in one)
    const placed = modules.flatMap(module => [...module.resources, ...module.views])
    expect([...new Set(offered)].filter(one => !placed.includes(one)).map(one => one.name)).toEqual([])
    expect(views.length).toBeGreaterThan(2)
  })

  test('the table of contents holds every entity once', () => {
    expect(resources.map(one => one.entity.name).toSorted()).toEqual(entities.map(one => one.name).toSorted())
    expect(new Set(modules.map(one => one.code)).size).toBe(modules.length)
  })
})
