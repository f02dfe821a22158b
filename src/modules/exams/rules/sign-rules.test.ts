import { describe, expect, it } from 'vitest'
import { hardFailures, type PositionRules, precheck } from './sign-rules.ts'

const labels = {
  education: [
    { key: '20', value: '硕士研究生' },
    { key: '30', value: '大学本科' },
    { key: '40', value: '大学专科' },
  ],
  degree: [{ key: '3', value: '学士' }],
  region: [
    {
      key: '35',
      value: '福建省',
      children: [{ key: '3501', value: '福州市', children: [{ key: '350102', value: '鼓楼区' }] }],
    },
  ],
}
const exam = { ageBaseDate: '2026-11-20', signEndTime: new Date('2026-12-31T16:00:00Z') }

const level = (position: PositionRules, content = {}, candidate = { birthday: '1995-01-01', sex: 2 }) =>
  precheck(position, candidate, content, exam, labels).map(result => result.level)

describe('age, the limit included', () => {
  it.each([
    ['turns 35 on the day', '1991-11-20', 1],
    ['still 35, a day before 36', '1990-11-21', 1],
    ['36 on the day', '1990-11-20', 3],
    ['older', '1980-01-01', 3],
    ['born on a leap day', '1992-02-29', 1],
  ])('%s', (_name, birthday, expected) => {
    expect(level({ ageMax: 35 }, {}, { birthday, sex: 1 })).toEqual([expected])
  })

  it('counts to the day sign-up ends, in Shanghai, when the exam names no day', () => {
    const found = precheck(
      { ageMax: 35 },
      { birthday: '1990-12-31', sex: 1 },
      {},
      { signEndTime: new Date('2026-12-30T16:00:00Z') },
    )
    expect(found).toEqual([{ rule: 'age', level: 3, msg: '年龄须在35周岁及以下（计算至2026-12-31），您为36周岁' }])
  })
})

describe('demands', () => {
  it.each<[string, PositionRules, object, number[]]>([
    ['nothing demanded', {}, {}, []],
    ['education met', { eduReq: '30' }, { education: '30' }, [1]],
    ['education above', { eduReq: '30' }, { education: '20' }, [1]],
    ['education below', { eduReq: '30' }, { education: '40' }, [3]],
    ['education left out', { eduReq: '30' }, {}, [3]],
    ['one of several educations', { eduReq: '30,40' }, { education: '40' }, [1]],
    ['none of several educations', { eduReq: '30,40' }, { education: '20' }, [3]],
    ['degree', { degreeReq: '3' }, { degree: '9' }, [3]],
    ['title', { titleReq: '3' }, { title: '2' }, [1]],
    ['title none', { titleReq: '3' }, { title: '9' }, [3]],
    ['fresh', { freshReq: 1 }, { freshGraduate: '1' }, [1]],
    ['not fresh', { freshReq: 1 }, { freshGraduate: '0' }, [3]],
    ['not fresh wanted', { freshReq: 2 }, { freshGraduate: '0' }, [1]],
    ['sex', { sexReq: 1 }, {}, [3]],
    ['sex met', { sexReq: 2 }, {}, [1]],
    ['any sex', { sexReq: 0 }, {}, []],
    ['experience just enough', { expYears: 3 }, { workStart: '2023-11' }, [1]],
    ['experience too short', { expYears: 3 }, { workStart: '2023-12' }, [3]],
    ['experience left out', { expYears: 3 }, {}, [3]],
    ['major the same', { majorReq: '护理学、助产学' }, { major: '护理学' }, [1]],
    ['major with additions', { majorReq: '护理学（101101）' }, { major: '护理学专业' }, [1]],
    ['major of a class', { majorReq: '护理学类' }, { major: '助产学' }, [2]],
    ['another major', { majorReq: '临床医学' }, { major: '会计' }, [3]],
    ['any major', { majorReq: '不限' }, { major: '会计' }, []],
    ['certificate', { certReq: '护士执业证' }, { certificates: '已取得护士执业证' }, [1]],
    ['certificate in other words', { certReq: '护士执业证' }, { certificates: '护师' }, [2]],
    ['no certificate', { certReq: '护士执业证' }, {}, [3]],
    ['region by name', { regionReq: '福州市户籍' }, { householdRegion: ['35', '3501', '350102'] }, [1]],
    ['region by code', { regionReq: '350100' }, { studentOrigin: ['35', '3501', '350102'] }, [1]],
    ['another region', { regionReq: '3502' }, { householdRegion: ['35', '3501'] }, [3]],
  ])('%s', (_name, position, content, expected) => {
    expect(level(position, content)).toEqual(expected)
  })

  it('refuses only by rules the exam made hard', () => {
    const results = precheck({ ageMax: 20, eduReq: '30' }, { birthday: '1990-01-01', sex: 1 }, {}, exam, labels)
    expect(results.map(one => one.level)).toEqual([3, 3])
    expect(hardFailures(results, ['age']).map(one => one.rule)).toEqual(['age'])
    expect(hardFailures(results, null)).toEqual([])
  })

  it('says what was found', () => {
    expect(
      precheck({ eduReq: '30' }, { birthday: '1990-01-01', sex: 1 }, { education: '40' }, exam, labels)[0]?.msg,
    ).toBe('学历须为大学本科及以上，您填写的是大学专科')
  })
})
