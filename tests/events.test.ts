import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkEvents, type DomainEvent, events, type Field, json, variablesOf } from '#engine'
import { modules } from '#resources'
import { commonVariables } from '#resources/audiences'
import { domainEvents } from '#resources/events'
import { reminderRules } from '#resources/reminders'
import { signup } from '#resources/sign-up/signup'
import { workspaces } from '#resources/workspaces'
import { english } from './helper/english.ts'
import { filesBelow } from './helper/tree.ts'

const all = [...domainEvents.values()]
const named = all.map(one => [one.name, one] as const)
const fieldsOf = ({ entity, data }: DomainEvent): Readonly<Record<string, Field>> => ({ ...entity.properties, ...data })

/** As long as a value can be, as people meet it in a text message: what is longer is cut. */
const longest: Readonly<Record<string, string>> = {
  exam: '考'.repeat(12),
  examName: '考'.repeat(24),
  phone: '0591-12345678',
}

function longestOf(one: DomainEvent, name: string): string {
  const phrases = Object.values(one.phrases?.[name] ?? {}).map(({ zh }) => zh)
  const field = fieldsOf(one)[name]
  if (phrases.length > 0) return phrases.toSorted((a, b) => b.length - a.length)[0] ?? ''
  if (field?.kind === 'dateTime') return '11月24日 17:00'
  if (field?.kind === 'money') return '1000.00'
  if (field?.kind === 'integer') return '1000'
  return longest[name] ?? '一'.repeat(Math.min(field?.maxLength ?? 10, 10))
}

/** The sign that a provider puts before every message. */
const sign = '【鼓楼卫健招聘】'

describe('what people are told', () => {
  test.each(named)('%s is said in both languages with what it has', (_, one) => {
    const known = [...Object.keys(fieldsOf(one)), ...commonVariables]
    for (const text of [one.text.zh, one.text.en]) {
      expect(text).not.toBe('')
      expect(variablesOf(text).filter(name => !known.includes(name))).toEqual([])
      expect(
        variablesOf(text).filter(
          name => !(one.fields.includes(name) || name in one.data || commonVariables.includes(name as never)),
        ),
      ).toEqual([])
    }
    for (const name of [...one.fields, ...Object.keys(one.data)]) {
      const field = fieldsOf(one)[name]
      expect(field, name).toBeDefined()
      const isSaid = variablesOf(one.text.en).includes(name)
      if (!isSaid && !one.phrases?.[name]) expect(english[field?.title ?? ''], field?.title).toBeDefined()
    }
  })

  test('keep nothing that is sealed, secret, a file or made by hand', () => {
    expect(checkEvents(all)).toEqual([])
    const text = { zh: '有结果', en: 'There is a result' }
    const whole = { label: '结果', to: ['owner'], text, opens: '/signup/mySignup/:id' } as const
    const { told, clean } = events(signup, {
      told: { ...whole, fields: ['signNo', 'idCard', 'phone', 'photo'], data: { more: json<object>('其他') } },
      clean: { ...whole, fields: ['signNo'] },
    })
    expect(checkEvents([clean, told])).toEqual([
      'events: signup.told: «idCard» is a sealed field, which is not kept',
      'events: signup.told: «phone» is a sealed field, which is not kept',
      'events: signup.told: «photo» is a image field, which is not kept',
      'events: signup.told: «more» is a json field, which is not kept',
    ])
  })

  test.each(named.filter(([, one]) => one.by?.sms !== undefined))('%s is one text message', (_, one) => {
    const text = one.text.zh.replaceAll(/\{(\w+)\}/g, (_all, name: string) => longestOf(one, name))
    expect((sign + text).length).toBeLessThanOrEqual(70)
  })

  test.each([
    ['examinationitem.resultsReleased', 'until'],
    ['examination.archived', 'until'],
    ['examination.archiveMade', 'until'],
    ['notice.mustSure', 'need'],
    ['examuser.appointed', 'examRole'],
    ['examuser.appointed', 'scope'],
    ['user.passwordReset', 'phone'],
    ['user.contactChanged', 'phone'],
    ['reconciliation.differs', 'amount'],
  ])('%s says the {%s} that matters', (name, variable) => {
    const one = domainEvents.get(name)
    for (const language of ['zh', 'en'] as const) {
      const phrases = Object.values(one?.phrases ?? {}).flatMap(words => Object.values(words))
      const texts = [one?.text, ...phrases].map(said => said?.[language] ?? '')
      expect(texts.flatMap(variablesOf)).toContain(variable)
    }
  })

  test.each(named)('%s has words for every time that it may lack', (_, one) => {
    const clauses = Object.values(one.phrases ?? {}).flatMap(keys => Object.values(keys))
    const words = [one.text, ...clauses].flatMap(({ zh, en }) => [zh, en])
    const lacking = words.flatMap(variablesOf).filter(name => one.data[name]?.optional)
    expect(lacking.filter(name => one.otherwise?.[name] === undefined)).toEqual([])
  })

  test('settles what there is', () => {
    const named = all.flatMap(({ settles = [], ends = [], joins = [] }) => [...settles, ...ends, ...joins])
    expect(named.filter(name => !domainEvents.has(name))).toEqual([])
  })

  test('opens pages that there are', () => {
    const routes = [...filesBelow('src/modules').concat(filesBelow('src/platform'), filesBelow('src/web'))]
      .filter(file => /routes\.tsx?$/.test(file))
      .flatMap(file => [...readFileSync(file, 'utf8').matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path))
    const screens = modules.flatMap(({ resources, views }) => [...resources, ...views].flatMap(one => one.route ?? []))
    const served = filesBelow('src/modules')
      .filter(file => /\.ts$/.test(file))
      .flatMap(file =>
        [...readFileSync(file, 'utf8').matchAll(/(?:get\(|GET )'?`?(\/public\/[\w/:]+)/g)].map(([, path = '']) => path),
      )
    const places = [
      ...modules.flatMap(({ pages = [] }) => pages.map(one => one.path)),
      ...workspaces.map(one => one.route),
    ]
    const pattern = (path: string) => path.replaceAll(/:\w+/g, ':')
    const known = new Set([...routes, ...screens, ...places, ...served].map(pattern))
    expect([...new Set(all.map(one => one.opens))].filter(path => !known.has(pattern(path)))).toEqual([])
  })

  test('stops reminders by events that there are', () => {
    const stops = [...reminderRules.values()].flatMap(({ reminds }) => reminds.stops ?? [])
    expect(stops.filter(name => !domainEvents.has(name) || reminderRules.has(name))).toEqual([])
  })

  test('happens somewhere', () => {
    const code = filesBelow('src')
      .filter(file => /\.ts$/.test(file) && !/\.test\.ts$/.test(file))
      .map(file => readFileSync(file, 'utf8'))
      .join('\n')
    const happening = all.filter(({ name }) => !reminderRules.has(name))
    const keys = happening.map(({ name }) => name.slice(name.indexOf('.') + 1))
    expect(
      [...new Set(keys)].filter(key => !new RegExp(`Events(\\.${key}\\b|\\)\\[[^\\]]*'${key}')`).test(code)),
    ).toEqual([])
    expect(all.length).toBeGreaterThan(40)
  })
})
