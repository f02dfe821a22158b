import { describe, expect, it } from 'vitest'
import { linesOf } from '../platform/pdf/plain-text.ts'
import { matches, patternProblem } from './pattern.ts'

describe('patterns people write', () => {
  it.each([
    ['[A-Z]{2}\\d+', 'AB1', true],
    ['[A-Z]{2}\\d+', 'xAB1', false],
    ['^\\p{Han}+$', '张三', true],
    ['(a+)+', `${'a'.repeat(5000)}!`, false],
  ])('%s on %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected)
  })

  it.each([
    ['^\\d+$', null],
    ['(', '校验正则不正确（不支持回溯引用和环视）'],
    ['(a)\\1', '校验正则不正确（不支持回溯引用和环视）'],
    ['a(?=b)', '校验正则不正确（不支持回溯引用和环视）'],
    ['a'.repeat(256), '校验正则不能超过255个字'],
  ])('%s', (pattern, expected) => {
    expect(patternProblem(pattern)).toBe(expected)
  })
})

describe('linesOf', () => {
  it.each([
    ['<p>一、<b>带证</b></p><p>&nbsp;</p><ol><li>二</li><li>三<br>四</li></ol>', ['一、带证', '二', '三', '四']],
    ['<script>alert(1)</script><p>a &lt; b &amp; c</p>', ['a < b & c']],
    ['纯文本\n两行', ['纯文本', '两行']],
    [null, []],
  ])('%s', async (html, expected) => {
    expect(await linesOf(html)).toEqual(expected)
  })
})
