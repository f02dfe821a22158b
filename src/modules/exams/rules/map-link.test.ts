import { describe, expect, it } from 'vitest'
import { mapLink } from './map-link.ts'

const amap = 'https://uri.amap.com/search?keyword={keyword}'

describe('the address of a place on a map', () => {
  it('searches for address and name, as text', () => {
    expect(mapLink(amap, ['学府路 18 号', '第一中学&x=1'])).toBe(
      `https://uri.amap.com/search?keyword=${encodeURIComponent('学府路 18 号 第一中学&x=1')}`,
    )
    expect(mapLink(amap, ['', null, '第一中学'])).toMatch(/keyword=%E7%AC%AC/)
  })

  it.each([
    [undefined, '一中'],
    ['-', '一中'],
    [amap, ''],
    ['https://maps.example.org/', '一中'],
    ['http://maps.example.org/?q={keyword}', '一中'],
    ['javascript:alert(`{keyword}`)', '一中'],
    ['https://me:secret@maps.example.org/?q={keyword}', '一中'],
    ['https://maps.example.org/?q={keyword}&ak=123', '一中'],
    ['https://maps.example.org/?key=1&q={keyword}', '一中'],
  ])('%s for «%s» gives none', (template, name) => expect(mapLink(template, [name])).toBe(''))
})
