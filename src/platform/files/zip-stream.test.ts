import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { unzip } from '../../../tests/helper/unzip.ts'
import { cleanName, distinctNames, streamZip, type ZipEntry } from './zip.ts'

const time = new Date('2026-12-01T00:00:00Z')
const text = (name: string, content: string): ZipEntry => ({ name, time, open: async () => Buffer.from(content) })

describe('names in an archive', () => {
  it.each([
    ['张三.pdf', '张三.pdf'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a_b_c_d_e_f_g_h_i_j'],
    ['a\u0000b\nc', 'a_b_c'],
    ['\u202egnp.exe', '_gnp.exe'],
    ['CON', '_CON'],
    ['com1.txt', '_com1.txt'],
    ['  ..', '_'],
    ['', '_'],
    ['𠮷·阿卜杜拉', '𠮷·阿卜杜拉'],
    ['e\u0301', 'é'],
  ])('%j becomes %j', (given, clean) => expect(cleanName(given)).toBe(clean))

  it('are cut to eighty characters, the ending kept', () => {
    const long = cleanName(`${'长'.repeat(300)}.pdf`)
    expect([[...long].length, long.endsWith('长.pdf')]).toEqual([80, true])
  })

  it('come once each', () => {
    const once = distinctNames()
    expect(['a.pdf', 'A.pdf', 'a.pdf', 'b', 'b'].map(once)).toEqual(['a.pdf', 'A (2).pdf', 'a (3).pdf', 'b', 'b (2)'])
  })
})

describe('an archive', () => {
  it('holds every file whole, packed or not', async () => {
    async function* entries() {
      yield text('岗位/一.txt', '内容'.repeat(1000))
      yield { ...text('b.bin', 'x'), compress: false }
    }
    const files = unzip(await buffer(streamZip(entries())))
    expect([...files.keys()]).toEqual(['岗位/一.txt', 'b.bin'])
    expect(files.get('岗位/一.txt')?.toString()).toBe('内容'.repeat(1000))
  })

  it('opens a file only when the one before has left, and stops when the reader goes', async () => {
    const opened: number[] = []
    let ended = false
    async function* entries(): AsyncGenerator<ZipEntry> {
      try {
        for (let i = 0; i < 50; i++)
          yield {
            name: `${i}`,
            time,
            compress: false,
            open: async () => {
              opened.push(i)
              return Buffer.alloc(300_000, i)
            },
          }
      } finally {
        ended = true
      }
    }
    const archive = streamZip(entries())
    await once(archive, 'readable')
    await new Promise(done => setTimeout(done, 30))
    expect(opened.length).toBeLessThan(4)
    archive.destroy()
    await new Promise(done => setTimeout(done, 30))
    expect(ended).toBe(true)
    expect(opened.length).toBeLessThan(5)
  })

  it('breaks off when a file cannot be had', async () => {
    async function* entries() {
      yield text('a', 'a')
      yield { name: 'b', time, open: () => Promise.reject(new Error('gone')) }
    }
    await expect(buffer(streamZip(entries()))).rejects.toThrow('gone')
  })
})
