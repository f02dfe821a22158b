import { expect, test } from 'vitest'
import sentences from '../../../../resources/english/sentences.json' with { type: 'json' }
import { english as known } from '../../../../tests/helper/english.ts'
import { sentencesIn } from '../../../platform/i18n/rules/sentences.ts'
import { timingWords } from './timing-words.ts'

const inEnglish = sentencesIn(known, sentences)

test.each([
  [2, '0 0 2 * * ?', '每天 02:00', 'Daily at 02:00'],
  [2, '30 15 2 * * ?', '每天 02:15:30', 'Daily at 02:15:30'],
  [2, '0 0 9,14 * * ?', '每天 09:00/14:00', 'Daily at 09:00/14:00'],
  [2, '0 0 9 ? * MON-FRI', '每逢周一至周五 09:00', 'Mon–Fri at 09:00'],
  [2, '0 0 9 ? * 1', '每逢周日 09:00', 'Sun at 09:00'],
  [2, '0 0 9 ? * 7,1', '每逢周六、周日 09:00', 'Sat, Sun at 09:00'],
  [2, '0 30 3 1 * ?', '每月 1 日 03:30', 'Monthly on day 1 at 03:30'],
  [2, '0 30 3 1,15 * ?', '每月 1/15 日 03:30', 'Monthly on day 1/15 at 03:30'],
  [2, '0 0 9 L * ?', '每月最后一天 09:00', 'Last day of each month at 09:00'],
  [2, '0 0 9 5 1 ?', '每年 1 月 5 日 09:00', 'Yearly on day 5 of month 1 at 09:00'],
  [2, '*/20 * * * * ?', '每 20 秒', 'Every 20 seconds'],
  [2, '0 * * * * ?', '每分钟', 'Every minute'],
  [2, '0 */5 * * * ?', '每 5 分钟', 'Every 5 minutes'],
  [2, '0 0 * * * ?', '每小时', 'Every hour'],
  [2, '0 10 * * * ?', '每小时第 10 分', 'Every hour at minute 10'],
  [2, '0 10 0/2 * * ?', '每 2 小时第 10 分', 'Every 2 hours at minute 10'],
  [2, '0 0/15 8-10 * * ?', '每天 08:00–10:59 每 15 分钟', 'Daily 08:00–10:59: Every 15 minutes'],
  [2, '0 0 9 ? * TUE#3', '0 0 9 ? * TUE#3', '0 0 9 ? * TUE#3'],
  [2, '0 0 9 1 1 ? 2030', '0 0 9 1 1 ? 2030', '0 0 9 1 1 ? 2030'],
  [3, '90000', '每 90 秒', 'Every 90 seconds'],
  [3, '60000', '每分钟', 'Every minute'],
  [4, '7200000', '上次结束后 2 小时', '2 hours after the last run has ended'],
  [
    11,
    '{"interval":10,"intervalUnit":"MINUTES","startTimeOfDay":"09:00:00","endTimeOfDay":"17:30:00"}',
    '每天 09:00–17:30 每 10 分钟',
    'Daily 09:00–17:30: Every 10 minutes',
  ],
  [
    11,
    '{"interval":1,"intervalUnit":"HOURS","startTimeOfDay":"09:00:00","endTimeOfDay":"17:00:00","daysOfWeek":[6,7]}',
    '每逢周六、周日 09:00–17:00 每小时',
    'Sat, Sun 09:00–17:00: Every hour',
  ],
  [1, null, '', ''],
])('%s %s', (type, expression, chinese, english) => {
  const words = timingWords(type, expression)
  expect([words, inEnglish(words)]).toEqual([chinese, english])
})
