import { describe, expect, it } from 'vitest'
import { FormInputType } from '#schemas/dictionaries'
import { isBlank, isSame, settled } from '../../../engine/blank.ts'
import { compileForm } from '../../../platform/http/server/form-validator.ts'
import { interpret } from '../../../screens/interpreter.ts'
import { builtinItems } from './builtin-items.ts'
import { formCheck, type SignProblem } from './sign-check.ts'
import { type FileItem, missingFiles } from './sign-files.ts'
import { cleanContent, groupsOf, visibleItems } from './sign-form.ts'
import type { Content, SignItem } from './sign-item.ts'
import { signForm } from './sign-schema.ts'
import { showValue } from './sign-text.ts'

const dicts = {
  yes_no: [
    { key: '0', value: '否' },
    { key: '1', value: '是' },
  ],
  skill: [
    { key: 'a', value: '甲' },
    { key: 'b', value: '乙' },
    { key: 'c', value: '丙' },
  ],
  tree: [
    { key: '1', value: '医', children: [{ key: '11', value: '内科' }] },
    { key: '2', value: '护' },
  ],
  item_group: [{ key: '1', value: '基本信息' }],
}
const item = (kind: keyof typeof FormInputType, more: Partial<SignItem> = {}): SignItem => ({
  itemCode: 'x',
  itemName: '项目',
  inputType: FormInputType[kind],
  required: 1,
  ...more,
})

/** What is wrong, as the server finds it; the browser finds the same. */
function check(items: readonly SignItem[], content: Content, finished = true, type?: string): SignProblem[] {
  const [server, browser] = [compileForm, interpret].map(compile =>
    formCheck(items, { type, dicts }, compile)(content, finished),
  )
  expect(browser).toEqual(server)
  return server ?? []
}
const problems = (items: readonly SignItem[], content: Content, finished = true) =>
  check(items, content, finished).map(found => found.msg)

describe('the check by kind of input, on the server and in the browser', () => {
  const columns = [
    item('text', { itemCode: 'unit', itemName: '单位' }),
    item('month', { itemCode: 'from', itemName: '起始', required: 0 }),
  ]
  const table = item('table', { columns, rules: { min: 1, max: 2 } })
  const choice = { dictCode: 'skill' }
  it.each<[string, SignItem, unknown, string[]]>([
    ['text', item('text'), '一', []],
    ['text missing', item('text'), ' ', ['请输入项目']],
    ['text too long', item('text', { rules: { maxLength: 2 } }), '三个字', ['项目不能超过2个字']],
    ['text of rare characters counted as people count', item('text', { rules: { maxLength: 2 } }), '𠮷𠮷', []],
    ['text of another type', item('text'), 5, ['项目格式不正确']],
    ['text with a direction override', item('text'), 'a\u202eb', ['项目含有不可见字符，请重新输入']],
    ['text with a line', item('text'), 'a\nb', ['项目含有不可见字符，请重新输入']],
    ['half a character', item('text'), 'a\ud800', ['项目含有不可见字符，请重新输入']],
    ['long text with lines', item('longText'), 'a\nb', []],
    ['pattern met', item('text', { rules: { regex: '^[A-Z]+$', regexMsg: '须为大写字母' } }), 'AB', []],
    [
      'pattern not met',
      item('text', { rules: { regex: '^[A-Z]+$', regexMsg: '须为大写字母' } }),
      'ab',
      ['须为大写字母'],
    ],
    ['number', item('number', { rules: { min: 1, max: 3 } }), 3, []],
    ['number too small', item('number', { rules: { min: 1 } }), 0.5, ['项目不能小于1']],
    ['number too large', item('number', { rules: { max: 3 } }), 4, ['项目不能大于3']],
    ['number zero is not missing', item('number'), 0, []],
    ['no number', item('number'), 'abc', ['项目应为数字']],
    ['date', item('date', { rules: { min: '2000-01-01', max: '2000-12-31' } }), '2000-02-29', []],
    ['date missing', item('date'), '', ['请选择项目']],
    ['date that does not exist', item('date'), '2026-02-30', ['项目不是有效的日期']],
    ['date too early', item('date', { rules: { min: '2000-01-01' } }), '1999-12-31', ['项目不能早于2000-01-01']],
    ['date too late', item('date', { rules: { max: '2000-01-01' } }), '2000-01-02', ['项目不能晚于2000-01-01']],
    ['month', item('month'), '2026-12', []],
    ['no month', item('month'), '2026-13', ['项目不是有效的日期']],
    ['radio', item('radio', choice), 'a', []],
    ['radio not offered', item('radio', choice), 'z', ['项目不在可选范围内']],
    ['select missing', item('select', choice), undefined, ['请选择项目']],
    ['checks', item('checks', { ...choice, rules: { min: 2, max: 2 } }), ['a', 'b'], []],
    ['checks too few', item('checks', { ...choice, rules: { min: 2 } }), ['a'], ['项目至少选择2项']],
    ['checks too many', item('checks', { ...choice, rules: { max: 1 } }), ['a', 'b'], ['项目最多选择1项']],
    ['checks not offered', item('checks', choice), ['a', 'z'], ['项目不在可选范围内']],
    ['checks twice', item('checks', choice), ['a', 'a'], ['项目格式不正确']],
    ['cascade', item('cascade', { dictCode: 'tree' }), ['1', '11'], []],
    ['cascade without children', item('cascade', { dictCode: 'tree' }), ['2'], []],
    ['cascade half way', item('cascade', { dictCode: 'tree' }), ['1'], ['请选择完整的项目']],
    ['cascade across', item('cascade', { dictCode: 'tree' }), ['2', '11'], ['项目不在可选范围内']],
    ['region', item('region'), ['35', '3501', '350102'], []],
    ['region half way', item('region'), ['35'], ['请选择完整的项目']],
    ['region of another form', item('region'), ['福建', '福州'], ['项目格式不正确']],
    ['table', table, [{ unit: '院' }], []],
    ['table too short', item('table', { columns, rules: { min: 2 } }), [{ unit: '院' }], ['项目至少填写2条']],
    ['table too long', table, [{ unit: '1' }, { unit: '2' }, { unit: '3' }], ['项目最多填写2条']],
    [
      'table with bad rows',
      table,
      [{ unit: '院', from: '2026' }, {}],
      ['第1条：起始不是有效的日期', '第2条：请输入单位'],
    ],
    ['table of no rows', table, ['x'], ['项目格式不正确']],
    ['ID number', item('idCard'), '11010519491231002X', []],
    ['ID number with a wrong check character', item('idCard'), '110105194912310021', ['证件号码校验位错误']],
    ['phone', item('phone'), '13800000000', []],
    ['phone too short', item('phone'), '1380000', ['手机号码长度不为11位']],
    ['school', item('school'), '福建医科大学', []],
    ['school missing', item('school'), '', ['请选择项目']],
    ['a note asks nothing', item('note'), undefined, []],
  ])('%s', (_name, one, value, expected) => {
    expect(problems([one], { x: value })).toEqual(expected)
  })

  it('names the field, also inside a table', () => {
    expect(check([table], { x: [{ unit: '' }] })).toEqual([
      { field: 'x[0].unit', label: '项目第1条单位', msg: '第1条：请输入单位' },
    ])
  })

  it('asks nothing of a draft but looks at what it has', () => {
    expect(problems([item('text'), item('number', { itemCode: 'n' })], { n: 'x' }, false)).toEqual(['项目应为数字'])
    expect(problems([item('table', { columns, rules: { min: 3 } })], { x: [{ unit: 'a' }] }, false)).toEqual([])
  })

  it('takes an item for what is filled in, whatever its code is', () => {
    const items = [item('text', { itemCode: 'constructor' }), item('table', { columns, required: 0 })]
    expect(problems(items, cleanContent(items, {}))).toEqual(['请输入项目'])
    expect(problems(items, { constructor: '一', x: [{ unit: '院' }] } as Content)).toEqual([])
    expect(problems(items, {} as Content, false)).toEqual([])
  })

  it('leaves a pattern to the server that the browser cannot read', () => {
    const one = item('text', { rules: { regex: '(?i)ab' } })
    const found = [compileForm, interpret].map(compile => formCheck([one], {}, compile)({ x: 'xy' }, true).length)
    expect(found).toEqual([1, 0])
    expect(problems([one], { x: 'AB' })).toEqual([])
  })

  it('runs a pattern on the server in time that grows with the text only', () => {
    const one = item('text', { rules: { regex: '^(a+)+$' } })
    const found = formCheck([one], {}, compileForm)({ x: `${'a'.repeat(200)}!` }, true)
    expect(found.map(({ msg }) => msg)).toEqual(['项目格式不正确'])
  })

  it('lets everything pass by a pattern that nobody can read', () => {
    expect(problems([item('text', { rules: { regex: 'a(?<=b' } })], { x: 'c' })).toEqual([])
  })

  it('finds the same in a form of every kind, each value in the place of every other', () => {
    const kinds = Object.keys(FormInputType) as (keyof typeof FormInputType)[]
    const values = [
      '一',
      5,
      '2026-05-01',
      '2026-05',
      'a',
      ['a'],
      ['35', '3501'],
      ['1', '11'],
      [{ unit: '院' }],
      {},
      true,
    ]
    const form = kinds.map(kind =>
      item(kind, { itemCode: kind, itemName: kind, dictCode: kind === 'cascade' ? 'tree' : 'skill', columns }),
    )
    const fits = values.map(value => {
      const wrong = check(form, Object.fromEntries(kinds.map(kind => [kind, value]))).map(found => found.label)
      return kinds.filter(kind => kind !== 'note' && !wrong.some(label => label.startsWith(kind)))
    })
    const texts = ['text', 'longText', 'school']
    expect(fits).toEqual([
      texts,
      ['number'],
      ['text', 'longText', 'date', 'school'],
      ['text', 'longText', 'school', 'month'],
      ['text', 'longText', 'radio', 'select', 'school'],
      ['checks'],
      ['region'],
      ['cascade'],
      ['table'],
      [],
      [],
    ])
  })
})

describe('what is shown', () => {
  const items = [
    item('radio', { itemCode: 'a', dictCode: 'yes_no', sort: 2 }),
    item('text', { itemCode: 'b', showWhen: { a: ['1'] }, sort: 3 }),
    item('text', { itemCode: 'c', showWhen: { b: ['深'] }, sort: 4 }),
    item('text', { itemCode: 'd', applyTypes: '01,02', sort: 1 }),
    item('text', { itemCode: 'e', enable: 0, sort: 0 }),
    item('text', { itemCode: 'f', showWhen: { g: ['b'] }, sort: 6 }),
    item('checks', { itemCode: 'g', dictCode: 'skill', required: 0, sort: 5 }),
  ]
  it.each<[Content, string | null, string[]]>([
    [{}, null, ['a', 'g']],
    [{}, '02', ['d', 'a', 'g']],
    [{}, '03', ['a', 'g']],
    [{ a: '1' }, null, ['a', 'b', 'g']],
    [{ a: '1', b: '深' }, null, ['a', 'b', 'c', 'g']],
    [{ a: '0', b: '深' }, null, ['a', 'g']],
    [{ g: ['a', 'b'] }, null, ['a', 'g', 'f']],
    [{ e: 'x' }, null, ['a', 'g']],
  ])('%o for type %s', (content, type, expected) => {
    expect(visibleItems(items, content, type).map(one => one.itemCode)).toEqual(expected)
  })

  it('asks what is shown, through conditions on conditions, and what can never be shown never', () => {
    const lost = item('text', { itemCode: 'h', showWhen: { e: ['x'] } })
    const none = item('text', { itemCode: 'i', showWhen: { a: [] } })
    const asked = (content: Content) => check([...items, lost, none], content).map(found => found.field)
    expect(asked({ a: '1', e: 'x' })).toEqual(['b'])
    expect(asked({ a: '1', b: '深' })).toEqual(['c'])
    expect(asked({ a: '0', b: '深', g: ['a', 'b'] })).toEqual(['f'])
  })

  it('neither asks nor stores what is hidden or unknown', () => {
    expect(problems(items, { a: '0', b: 5, z: 1 })).toEqual([])
    expect(cleanContent(items, { a: '0', b: '深', c: 'x', d: 'x', z: 1, __proto__: { y: 1 } })).toEqual({ a: '0' })
  })

  it('stores texts trimmed, composed and ID numbers in capitals, without blank rows', () => {
    const cleaned = cleanContent(
      [
        item('text'),
        item('idCard', { itemCode: 'i' }),
        item('number', { itemCode: 'n' }),
        item('table', { itemCode: 't', columns: [item('text', { itemCode: 'u' })] }),
      ],
      { x: ' e\u0301 ', i: '11010519491231002x', n: '3.5', t: [{ u: ' ' }, { u: 'v', w: 1 }] },
    )
    expect(cleaned).toEqual({ x: 'é', i: '11010519491231002X', n: 3.5, t: [{ u: 'v' }] })
  })
})

describe('signForm', () => {
  it('gives a JSON Schema that survives a round trip, and groups in order', () => {
    const schema = signForm(builtinItems, { dicts })
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
    const groups = groupsOf(builtinItems, dicts.item_group)
    expect(groups[0]).toMatchObject({ name: '1', label: '基本信息' })
    expect(groups.flatMap(group => group.codes)).toHaveLength(builtinItems.length)
  })

  it('requires an item with a condition only where it holds', () => {
    const schema = signForm(
      [item('radio', { itemCode: 'a', dictCode: 'yes_no' }), item('text', { itemCode: 'b', showWhen: { a: ['1'] } })],
      { dicts },
    )
    expect(schema.required).toEqual(['a'])
    expect(schema.properties).toEqual({
      a: { title: '项目', kind: 'radio', dict: 'yes_no', type: 'string', enum: ['0', '1'] },
    })
    expect(schema.allOf?.map(one => one.then.required)).toEqual([['b']])
  })

  it('leaves out what another position type is asked', () => {
    const only = item('text', { applyTypes: '01' })
    expect(signForm([only], { type: '02' }).properties).toEqual({})
    expect(Object.keys(signForm([only], { type: '01' }).properties)).toEqual(['x'])
  })
})

describe('showValue', () => {
  it.each<[SignItem, unknown, string]>([
    [item('radio', { dictCode: 'yes_no' }), '1', '是'],
    [item('checks', { dictCode: 'skill' }), ['a', 'c'], '甲、丙'],
    [item('cascade', { dictCode: 'tree' }), ['1', '11'], '医 内科'],
    [item('radio', { dictCode: 'yes_no' }), '7', '7'],
    [item('number'), 0, '0'],
    [item('text'), undefined, ''],
    [
      item('table', { columns: [item('radio', { dictCode: 'yes_no', itemCode: 'k' })] }),
      [{ k: '1' }, { k: '0' }],
      '是\n否',
    ],
  ])('%#', (one, value, expected) => {
    expect(showValue(one, value, dicts)).toBe(expected)
  })
})

describe('missingFiles', () => {
  const asked: FileItem[] = [
    { fileCode: 'id', fileName: '身份证', required: 1, minNum: 2, maxNum: 2, maxSize: 100, exts: 'jpg,jpeg' },
    { fileCode: 'cert', fileName: '证书', required: 1, showWhen: { title: ['4'], type: ['02'] } },
    { fileCode: 'old', fileName: '旧件', required: 1, enable: 0 },
  ]
  const file = (size = 1, ext = 'jpg') => ({ attachId: '1', name: `a.${ext}`, size, ext })
  const found = (
    list: ReturnType<typeof file>[],
    content: Content = {},
    more: { fileCode: string; list: ReturnType<typeof file>[] }[] = [],
  ) => missingFiles([{ fileCode: 'id', list }, ...more], asked, content, { type: '02' }).map(one => one.msg)

  it.each<[string, ReturnType<typeof file>[], string[]]>([
    ['none', [], ['请上传身份证']],
    ['too few', [file()], ['身份证至少上传2份']],
    ['enough', [file(), file(1, 'JPEG')], []],
    ['too many', [file(), file(), file()], ['身份证最多上传2份']],
    ['another kind', [file(), file(1, 'pdf')], ['身份证不支持pdf格式，可用jpg、jpeg']],
    ['just small enough', [file(), file(100 * 1024)], []],
    ['too large', [file(), file(100 * 1024 + 1)], ['身份证单个不能超过100KB']],
  ])('%s', (_name, list, expected) => {
    expect(found(list)).toEqual(expected)
  })

  it('asks by what was filled in and chosen', () => {
    const good = [file(), file()]
    expect(found(good, { title: '4' })).toEqual(['请上传证书'])
    expect(found(good, { title: '3' })).toEqual([])
    expect(found(good, { title: '3' }, [{ fileCode: 'cert', list: [file()] }])).toEqual(['cert无需上传'])
    expect(found(good, { title: '4' }, [{ fileCode: 'cert', list: [file(51 * 1024 * 1024)] }])).toEqual([
      '证书单个不能超过5120KB',
      '附件合计不能超过50MB',
    ])
  })
})

describe('blank and absent are the same', () => {
  const blanks = [undefined, null, '', ' ', '\u3000\n', [], [''], [null, ' '], {}, { a: '' }, [{ a: null }], [[], {}]]
  const values = ['甲', 0, 5, false, ['a', 'b'], [{ unit: '一院', from: '2020-01' }], { a: { b: 1 } }, new Date(0)]
  /** Every way in which a blank can stand beside, before, after or inside a value. */
  const around = (value: unknown): [one: unknown, other: unknown][] =>
    blanks.flatMap(blank => [
      [{ a: value, b: blank }, { a: value }],
      [{ b: blank, a: value }, { a: value }],
      [[{ a: value, b: blank }], [{ a: value }]],
      [[{ a: value }, { a: blank }], [{ a: value }]],
      [{ a: { b: value, c: blank } }, { a: { b: value } }],
      [[value, blank], [value]],
    ])

  it('as values of any shape', () => {
    for (const one of blanks) {
      expect([one, isBlank(one), settled(one)]).toEqual([one, true, undefined])
      for (const other of blanks) expect(isSame(one, other)).toBe(true)
    }
  })

  it('inside any value, whichever side they stand on; settling twice changes nothing', () => {
    for (const value of values) {
      expect([value, isBlank(value)]).toEqual([value, false])
      for (const [one, other] of around(value)) {
        expect([one, other, isSame(one, other)]).toEqual([one, other, true])
        expect(isSame(other, one)).toBe(true)
        expect(settled(one)).toEqual(settled(other))
        expect(settled(settled(one))).toEqual(settled(one))
      }
    }
  })

  it('and differ from every value; values differ from one another, and by their case and order', () => {
    for (const [i, value] of values.entries()) {
      for (const blank of blanks) expect([value, blank, isSame(value, blank)]).toEqual([value, blank, false])
      for (const [j, other] of values.entries()) expect([i, j, isSame(value, other)]).toEqual([i, j, i === j])
    }
    expect([isSame('a', 'A'), isSame(['a', 'b'], ['b', 'a']), isSame('5', 5), isSame(' 甲', '甲')]).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  it('in a form of every kind of input: what is kept of a blank is nothing, and nothing is made of what is missing', () => {
    const columns = [item('text', { itemCode: 'unit', required: 0 }), item('month', { itemCode: 'from', required: 0 })]
    for (const kind of Object.keys(FormInputType) as (keyof typeof FormInputType)[]) {
      const items = [item(kind, { required: 0, columns }), item('text', { itemCode: 'y', required: 0 })]
      for (const blank of blanks) {
        expect([kind, blank, cleanContent(items, { x: blank, y: '值' })]).toEqual([kind, blank, { y: '值' }])
        expect([kind, blank, problems(items, { x: blank, y: '值' })]).toEqual([kind, blank, []])
      }
    }
  })
})
