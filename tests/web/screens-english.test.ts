import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Field, fieldOf, type Parameter, permissionsOf } from '#engine'
import { modules, resources } from '#resources'
import { startSteps } from '#resources/start-list'
import { dictionaries, entities } from '#schemas'
import { parameters } from '#schemas/parameters'
import { english } from '../helper/english.ts'
import { browserFiles } from '../helper/tree.ts'

const isChinese = (text: unknown): text is string => typeof text === 'string' && /[\u4e00-\u9fff]/.test(text)

/** Every text that definitions give to people. */
function definedTexts(): string[] {
  const texts: unknown[] = []
  const field = (one: Field | undefined) => texts.push(one?.title, one?.help)
  for (const entity of entities) {
    texts.push(entity.title)
    for (const name of Object.keys(entity.properties)) field(fieldOf(entity, name))
  }
  for (const name of ['createUser', 'createDept', 'createTime', 'updateUser', 'updateTime'])
    field(fieldOf(entities[0]!, name))
  for (const one of resources) {
    texts.push(one.title, ...one.form.map(group => group.title), ...one.children.map(child => child.label))
    texts.push(...permissionsOf(one).map(permission => permission.label))
    for (const action of Object.values(
      one.actions as Record<string, { label: string; confirm?: string; ask?: object }>,
    )) {
      texts.push(action.label, action.confirm)
      for (const asked of Object.values(action.ask ?? {})) field(asked as Field)
    }
  }
  for (const module of modules) {
    texts.push(module.title)
    for (const page of module.pages ?? []) texts.push(page.title, ...(page.buttons ?? []).map(button => button.label))
  }
  for (const one of Object.values<Parameter>(parameters)) {
    field(one.field)
    texts.push(one.unit, ...Object.values(one.choices ?? {}))
  }
  for (const step of startSteps) texts.push(step.title, step.help)
  for (const one of dictionaries) texts.push(one.title, ...Object.values(one.entries))
  return [...new Set(texts.filter(isChinese))]
}

/** Every text the generated screens and fields translate. */
function screenTexts(): string[] {
  const files = browserFiles.filter(file => /^src\/screens\/(fields\/)?[^/]+$/.test(file))
  const found = files.flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/'([^'\n]*[\u4e00-\u9fff][^'\n]*)'/g)].map(match => match[1] as string),
  )
  return [...new Set(found)]
}

test('every text of a definition has English', () => {
  expect(definedTexts().filter(text => !english[text])).toEqual([])
})

test('every text of the generated screens has English', () => {
  expect(screenTexts().filter(text => !english[text])).toEqual([])
})
