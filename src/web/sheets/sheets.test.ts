import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import postcss from 'postcss'
import { expect, test } from 'vitest'
import { sheetsOf } from './antd-sheets.ts'
import { oursLast } from './ours-last.ts'

const folders = ['button', 'input', 'input-number', 'grid', 'col', 'date-picker']
const sheet = (css: string) => Object.fromEntries(sheetsOf(css, folders))

test.each([
  ['.ant-btn:hover{color:red}', { button: '.ant-btn:hover{color:red}' }],
  ['.ant-input-number .ant-input{a:b}', { 'input-number': '.ant-input-number .ant-input{a:b}' }],
  ['.ant-input,.ant-btn{a:b}', { input: '.ant-input{a:b}', button: '.ant-btn{a:b}' }],
  ['.ant-col-3{a:b}', { grid: '.ant-col-3{a:b}' }],
  ['.ant-picker .ant-btn{a:b}', { 'date-picker': '.ant-picker .ant-btn{a:b}' }],
  ['@media print{.ant-btn{a:b}.ant-btn-sm{a:b}}', { button: '@media print{.ant-btn{a:b}.ant-btn-sm{a:b}}' }],
  ['@keyframes antX{to{a:b}}.ant-zoom-enter{a:b}', { shared: '@keyframes antX{to{a:b}}\n.ant-zoom-enter{a:b}' }],
  // What is said last counts.
  ['.ant-btn{a:b}.ant-btn{a:c}.ant-btn{a:b}', { button: '.ant-btn{a:c}\n.ant-btn{a:b}' }],
  // Values of antd's own theme stay at home.
  ['.css-var-_R_0_.ant-btn{--x:1}', {}],
])('%s comes with its component', (css, sheets) => {
  expect(sheet(css)).toEqual(sheets)
})

test('every class of antd has a component, but for those that tell how things move, and icons', () => {
  const antd = path.dirname(createRequire(import.meta.url).resolve('antd/package.json'))
  const own = readdirSync(path.join(antd, 'es')).filter(name => !/[._]/.test(name))
  const all = sheetsOf(readFileSync(path.join(antd, 'dist/antd.css'), 'utf8'), [...own, '_util/wave'])
  const classes = [...(all.get('shared') ?? '').matchAll(/\.(ant-[a-z]+|anticon)/g)].map(([, name]) => name)
  expect([...new Set(classes)].sort()).toEqual(['ant-fade', 'ant-move', 'ant-slide', 'ant-zoom', 'anticon'])
})

test.each([
  ['.a .b, a { x: y }', 'html .a .b, html a { x: y }'],
  [':root[data-x] .a { x: y }', 'html:root[data-x] .a { x: y }'],
  // An attribute may stand on the root itself, which nothing stands above.
  ['[data-x] .a { x: y }', ':not(x)[data-x] .a { x: y }'],
  ['html { x: y }', 'html { x: y }'],
  ['@keyframes k { from { x: y } }', '@keyframes k { from { x: y } }'],
])('ours counts for more than as much by antd: %s', async (css, heavier) => {
  const from = '/ours/a.css'
  const made = await postcss([oursLast(file => file.startsWith('/ours/'))]).process(css, { from })
  expect(made.css.replaceAll(/,\s*/g, ', ')).toBe(heavier)
  const others = await postcss([oursLast(file => file.startsWith('/ours/'))]).process(css, { from: '/antd/a.css' })
  expect(others.css).toBe(css)
})
