import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ticketLayouts } from '#schemas/tickets/ticket-layouts'
import { embeddedFonts, pageContents, pdfText } from '../../../tests/helper/pdf-text.ts'
import { builtinItems } from '../../modules/exams/rules/builtin-items.ts'
import { finalListPdf } from '../../modules/results/documents/final-list-pdf.ts'
import { type SignFormDocument, signFormPdf } from '../../modules/sign-up/documents/sign-form-pdf.ts'
import {
  doorListPdf,
  type RoomDocument,
  seatLabelsPdf,
  signInSheetPdf,
} from '../../modules/tickets/documents/room-pdf.ts'
import { type TicketDocument, ticketPdf, ticketsPdf } from '../../modules/tickets/documents/ticket-pdf.ts'
import { newTicketKeys, signTicket } from '../../modules/tickets/server/ticket-code.ts'
import { candidatePhoto } from '../files/candidate-photo.ts'
import { printable, unprintable } from './fonts.ts'
import { rareGlyph, takeOwnFonts } from './rare-glyphs.ts'
import { trueType } from './truetype.ts'

const madeAt = new Date('2026-12-01T00:00:00Z')
const times = { startTime: new Date('2026-12-19T01:00:00Z'), endTime: new Date('2026-12-19T03:30:00Z') }
const flat = (pages: string[]) => pages.join('').replace(/\s/g, '')

async function ticket(change: Partial<TicketDocument> = {}): Promise<TicketDocument> {
  const payload = {
    tenant: '000000',
    itemId: '1989123456789012345',
    ticketNo: 'GL202610201407',
    name: '张abc',
    room: '014',
    seat: '07',
    start: 1_795_000_000,
    keyId: 'k1',
    issue: 1,
  }
  return {
    layout: 'standard',
    examName: '福州市鼓楼区卫生健康系统2026年公开招聘',
    itemName: '笔试',
    ticketNo: payload.ticketNo,
    name: '阿卜杜拉·买买提',
    sex: '男',
    idCard: '350102199501011236',
    photo: await candidatePhoto('1'),
    unit: '东街街道社区卫生服务中心',
    code: '2026014',
    siteName: '福州第三中学',
    address: '湖滨路163号',
    roomNo: '014',
    seatNo: '07',
    subject: '护理学专业知识',
    ...times,
    latestTime: new Date('2026-12-19T01:30:00Z'),
    notes: ['凭准考证和身份证入场。', '手机须关机。'],
    qr: signTicket(payload, newTicketKeys().privateKey),
    madeAt,
    ...change,
  }
}

describe('ticket', () => {
  it('says everything in text that can be selected, on one page of at most 300 KB', async () => {
    const pdf = await ticketPdf(await ticket())
    const pages = pdfText(pdf)
    expect(pages).toHaveLength(1)
    expect(pdf.length).toBeLessThan(300 * 1024)
    const text = flat(pages)
    for (const part of [
      '福州市鼓楼区卫生健康系统2026年公开招聘',
      '笔试准考证',
      '阿卜杜拉·买买提',
      '350102199501011236',
      'GL202610201407',
      '东街街道社区卫生服务中心',
      '2026014',
      '福州第三中学',
      '湖滨路163号',
      '014',
      '07',
      '护理学专业知识',
      '2026年12月19日星期六',
      '09:00—11:30',
      '09:30后不得入场',
      '考生须知',
      '凭准考证和身份证入场。',
      '手机须关机。',
    ])
      expect(text).toContain(part)
  })

  it.each(Object.keys(ticketLayouts))(
    'fits on one page in the layout %s, with what is asked for at the door',
    async layout => {
      const pages = pdfText(await ticketPdf(await ticket({ layout, traffic: '地铁2号线南门兜站B口步行500米' })))
      expect(pages).toHaveLength(1)
      const text = flat(pages)
      for (const part of [
        '阿卜杜拉·买买提',
        '350102199501011236',
        'GL202610201407',
        '福州第三中学',
        '014',
        '07',
        '手机须关机。',
      ])
        expect(text).toContain(part)
      expect(text.includes('性别')).toBe(layout === 'standard')
    },
  )

  it.each(['㐂', '䶮', '堃', '喆·玥', '龘'])('B28 · prints the rare name %s', async name => {
    expect(printable(name)).toBe(name)
    expect(flat(pdfText(await ticketPdf(await ticket({ name }))))).toContain(name)
  })

  // One of each extension of Unicode: B, C, D, E, F and G.
  const rare = ['𠮷', '𪜀', '𫝀', '𫠝', '𬺰', '𰻞']

  it.each(rare)('B28 · prints %s with a glyph of its own, and copies it as the same character', async char => {
    expect(printable(char)).toBe(char)
    const pdf = await ticketPdf(await ticket({ name: `${char}田` }))
    expect(flat(pdfText(pdf))).toContain(`${char}田`)
    const code = char.codePointAt(0)!
    const outlines = embeddedFonts(pdf).map(({ font, codes }) => {
      const id = codes.indexOf(code)
      return id < 0 ? 0 : font.getGlyph(id).path.commands.length
    })
    expect(Math.max(...outlines)).toBeGreaterThan(10)
  })

  it('B28 · has the same fonts for every document', async () => {
    const name = rare.join('')
    const seat = { seatNo: '1', name, ticketNo: 'T1', code: 'A01' }
    const room = { examName: '招聘', itemName: '笔试', siteName: '三中', roomNo: '1', ...times, madeAt, seats: [seat] }
    const form: SignFormDocument = {
      examName: '招聘',
      signNo: 'GL1',
      draft: false,
      name,
      sex: '',
      birthday: '',
      idCard: '',
      phone: '',
      position: { unit: '', code: '' },
      items: [],
      content: {},
      dicts: {},
      promise: [],
      madeAt,
    }
    const made = [doorListPdf([room]), signInSheetPdf([room]), seatLabelsPdf([room]), signFormPdf(form)]
    for (const pdf of await Promise.all(made)) expect(flat(pdfText(pdf))).toContain(name)
  })

  it('B28 · draws a rare character as its own font does, in the measure of the other', async () => {
    const [added] = embeddedFonts(await ticketPdf(await ticket({ name: '𠮷' }))).flatMap(({ font, codes }) => {
      const id = codes.indexOf(0x20bb7)
      return id < 0 ? [] : [{ glyph: font.getGlyph(id), unitsPerEm: font.unitsPerEm }]
    })
    const { commands, advanceWidth, unitsPerEm } = rareGlyph(0x20bb7)
    expect(added!.glyph.advanceWidth / added!.unitsPerEm).toBeCloseTo(advanceWidth / unitsPerEm, 2)
    const box = (of: readonly { args: number[] }[], em: number) => {
      const numbers = of.flatMap(({ args }) => args).map(one => one / em)
      return [Math.min(...numbers), Math.max(...numbers)]
    }
    const [want, got] = [box(commands, unitsPerEm), box(added!.glyph.path.commands, added!.unitsPerEm)]
    for (const i of [0, 1]) expect(got[i]).toBeCloseTo(want[i]!, 2)
  })

  it('B28 · prints characters of the extensions G and H with a font of the installation', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fonts-'))
    const chars = ['\u{30001}', '\u{31351}']
    const name = `${chars.join('')}田`
    try {
      expect(printable(name)).toBe('[U+30001][U+31351]田')
      expect((await unprintable({ text: name, madeAt })).toString()).toBe(chars.join(''))
      writeFileSync(join(folder, 'broken.ttf'), 'no font')
      writeFileSync(join(folder, 'own.ttf'), fontWith(chars.map(char => char.codePointAt(0)!)))
      takeOwnFonts(folder)
      expect(printable(name)).toBe(name)
      expect((await unprintable({ text: name, madeAt })).toString()).toBe('')
      const pdf = await ticketPdf(await ticket({ name }))
      expect(flat(pdfText(pdf))).toContain(name)
      const outlines = embeddedFonts(pdf).flatMap(({ font, codes }) => {
        const id = codes.indexOf(0x31351)
        return id < 0 ? [] : [font.getGlyph(id).path.commands.length]
      })
      expect(Math.max(...outlines)).toBeGreaterThan(10)
    } finally {
      takeOwnFonts(undefined)
      rmSync(folder, { recursive: true })
    }
  })

  it('B28 · names a character that no font has by its number instead of an empty box', async () => {
    expect(flat(pdfText(await ticketPdf(await ticket({ name: '\u{31350}田\u202e' }))))).toContain('[U+31350]田')
  })

  it('keeps twenty long rules on the page or begins another, losing none', async () => {
    const notes = Array.from(
      { length: 20 },
      (_, i) => `第${i + 1}条：${'考生应当遵守考场纪律，'.repeat(8)}完${i + 1}。`,
    )
    const pages = pdfText(await ticketPdf(await ticket({ notes })))
    for (let i = 1; i <= 20; i++) expect(flat(pages)).toContain(`完${i}。`)
  })

  it('puts a room into one file', async () => {
    const one = await ticket({ photo: null })
    const pdf = await ticketsPdf(Array.from({ length: 30 }, (_, i) => ({ ...one, seatNo: `座${i + 1}` })))
    const pages = pdfText(pdf)
    expect(pages).toHaveLength(30)
    expect(pages[29]).toContain('座30')
  })
})

describe('sign-up form', () => {
  const form: SignFormDocument = {
    examName: '公开招聘',
    signNo: 'GL2026000123',
    draft: false,
    submitTime: madeAt,
    name: '李木子',
    sex: '女',
    birthday: '1995-01-01',
    idCard: '350102199501011236',
    phone: '13812345678',
    position: { unit: '鼓楼区医院', code: '2026014', postName: '护理岗位' },
    items: builtinItems,
    content: {
      nation: '汉族',
      education: '30',
      freshGraduate: '0',
      jobs: [{ start: '2018-07', unit: '福建省立医院', duty: '护士' }],
      school: '福建医科大学',
    },
    dicts: { education: [{ key: '30', value: '大学本科' }], yes_no: [{ key: '0', value: '否' }] },
    promise: ['承诺真实。'],
    madeAt,
  }

  it('shows what was filled in, in words, with its number on every page', async () => {
    const pages = pdfText(await signFormPdf({ ...form, photo: await candidatePhoto('2') }))
    const text = flat(pages)
    for (const part of ['李木子', '350102199501011236', '大学本科', '福建省立医院', '2026014护理岗位', '承诺真实。'])
      expect(text).toContain(part)
    for (const page of pages) expect(page).toContain('GL2026000123 李木子')
    expect(text).not.toContain('草稿')
  })

  it('marks every page of a draft', async () => {
    const pages = pdfText(await signFormPdf({ ...form, draft: true, signNo: '', content: {} }))
    expect(pages.length).toBeGreaterThan(0)
    for (const page of pages) expect(page).toContain('草稿，未提交')
    expect(flat(pages)).not.toContain('福建省立医院')
  })

  it('B27 · says what each part is: language, title, headings, tables, and nothing outside of a part', async () => {
    const jobs = Array.from({ length: 30 }, () => ({ start: '2018-07', unit: '福建省立医院', duty: '护士' }))
    const content = { ...form.content, jobs }
    const pdf = await signFormPdf({ ...form, content, photo: await candidatePhoto('2') })
    const text = pdf.toString('latin1')
    expect(text).toMatch(/\/Marked true/)
    expect(text).toMatch(/\/Lang \(zh-CN\)/)
    expect(text).toMatch(/\/DisplayDocTitle true/)
    expect(text).toMatch(/\/Title \d+ 0 R/)
    for (const type of ['Document', 'H1', 'H2', 'H3', 'P', 'Table', 'TR', 'TH', 'TD', 'Figure'])
      expect(text).toContain(`/S /${type}\n`)
    const pages = pageContents(pdf)
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages) {
      let depth = 0
      for (const [operator] of page.matchAll(/\b(?:BDC|BMC|EMC|TJ|Do|S|f|B)\b(?=\s|$)/g)) {
        if (operator === 'EMC') depth--
        else if (operator.startsWith('B') && operator.length === 3) depth++
        else expect(depth, operator).toBeGreaterThan(0)
        expect(depth).toBeLessThan(2)
      }
      expect(depth).toBe(0)
    }
  })

  it('B27 · copies as clean text: the words across the page are outlines', async () => {
    for (const draft of [false, true]) {
      const signNo = draft ? '' : form.signNo
      const pdf = await signFormPdf({ ...form, draft, signNo, name: '李木𠮷' })
      const [page] = pdfText(pdf)
      expect(page!.match(/李木𠮷/g)).toHaveLength(2)
      expect(page!.match(/草/g)?.length ?? 0).toBe(draft ? 2 : 0)
      expect(pdf.toString('latin1')).toContain('/PatternType 1')
      expect(pageContents(pdf)[0]).toMatch(/^\/Artifact BMC[\s\S]*?\bP1 scn\b[\s\S]*?EMC/m)
    }
  })

  it('breaks a long table over pages under the same heads', async () => {
    const jobs = Array.from({ length: 20 }, (_, i) => ({
      start: '2018-07',
      unit: `第${i + 1}医院\n${'长'.repeat(60)}`,
      duty: '护士',
    }))
    const pages = pdfText(await signFormPdf({ ...form, content: { ...form.content, jobs } }))
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.filter(page => page.includes('岗位与职务')).length).toBeGreaterThan(1)
    for (let i = 1; i <= 20; i++) expect(flat(pages)).toContain(`第${i}医院`)
  })
})

describe('final list', () => {
  it('repeats the heading of a position on each page, keeps it with its people, and numbers the pages', async () => {
    const position = (code: string, people: number) => ({
      unitName: '清源市第一医院',
      postName: '内科医师',
      code,
      planNum: 2,
      stages: ['笔试（×0.6）', '面试（×0.4）'],
      rows: Array.from({ length: people }, (_, i) => ({
        rank: String(i + 1),
        name: `考生${code}${i}号`,
        signNo: `S${code}/${String(i).padStart(3, '0')}`,
        results: ['80', '75.5'],
        total: '78.2',
        next: i < 3 ? '笔试入围' : '',
      })),
    })
    // Lengths that leave any remainder at the foot of a page.
    const positions = Array.from({ length: 40 }, (_, i) => position(`P${i}`, 1 + ((i * 7) % 33)))
    const list = {
      examName: '公开招聘',
      tenantName: '清源市人力资源和社会保障局',
      stages: ['笔试', '面试'],
      positions,
      madeAt,
    }
    const pages = pdfText(await finalListPdf(list)).map(page => page.replace(/\s/g, ''))
    expect(pages.length).toBeGreaterThan(10)
    pages.forEach((page, i) => {
      expect(page).toContain(`第${i + 1}页/共${pages.length}页`)
      // Who stands on a page stands below the heading of the position.
      for (const { code, rows } of positions)
        if (rows.some(row => page.includes(row.signNo))) expect(page).toContain(`（${code}）`)
        else expect(page).not.toContain(`（${code}）`)
    })
    expect(pages.filter(page => page.includes('（盖章）'))).toHaveLength(1)
    expect(pages.at(-1)).toContain('清源市人力资源和社会保障局')
  })
})

describe('room', () => {
  const room: RoomDocument = {
    examName: '公开招聘',
    itemName: '笔试',
    siteName: '福州第三中学',
    roomNo: '014',
    ...times,
    madeAt,
    seats: Array.from({ length: 30 }, (_, i) => ({
      seatNo: String(i + 1),
      name: `考生${i + 1}号`,
      ticketNo: `T${i + 1}`,
      code: 'A01',
    })),
  }
  it.each([
    ['door list', doorListPdf, 1],
    ['sign-in sheet', signInSheetPdf, 2],
    ['seat labels', seatLabelsPdf, 2],
  ])('%s has everybody', async (_name, make, count) => {
    const pages = pdfText(await make([room]))
    expect(pages).toHaveLength(count)
    for (const seat of room.seats) expect(flat(pages)).toContain(seat.name)
  })
})

/** A font whose characters all look like 𠮷, with the table that finds them. */
function fontWith(codePoints: readonly number[]): Buffer {
  const { commands, advanceWidth, unitsPerEm } = rareGlyph(0x20bb7)
  const measures = { unitsPerEm, ascent: unitsPerEm, descent: 0, lineGap: 0 }
  const plain = trueType(
    [{ commands: [], advanceWidth }, ...codePoints.map(() => ({ commands, advanceWidth }))],
    measures,
  )
  const groups = codePoints.flatMap((code, i) => [code, code, i + 1])
  const cmap = Buffer.alloc(28 + groups.length * 4)
  for (const [at, word] of [0, 1, 3, 10, 0, 12, 12, 0].entries()) cmap.writeUInt16BE(word, at * 2)
  for (const [i, long] of [cmap.length - 12, 0, codePoints.length, ...groups].entries())
    cmap.writeUInt32BE(long, 16 + i * 4)
  const count = plain.readUInt16BE(4)
  const head = Buffer.concat([plain.subarray(0, 12 + count * 16), Buffer.alloc(16)])
  const shift = 16
  for (let i = 0; i < count; i++) head.writeUInt32BE(plain.readUInt32BE(12 + i * 16 + 8) + shift, 12 + i * 16 + 8)
  head.writeUInt16BE(count + 1, 4)
  head.write('cmap', 12 + count * 16, 'latin1')
  head.writeUInt32BE(plain.length + shift, 12 + count * 16 + 8)
  head.writeUInt32BE(cmap.length, 12 + count * 16 + 12)
  return Buffer.concat([head, plain.subarray(12 + count * 16), cmap])
}
