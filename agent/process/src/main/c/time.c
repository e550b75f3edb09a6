#include "shim.h"

static char *digits(char *text, long value, int width) {
  for (int i = width - 1; i >= 0; i--) {
    text[i] = (char)('0' + value % 10);
    value /= 10;
  }
  return text + width;
}

/* The C library's conversion would map the time zone's data into each shim. */
void time_format(const struct timespec *time, char text[TIME_LENGTH + 1]) {
  long days = (long)(time->tv_sec / 86400);
  long seconds = (long)(time->tv_sec % 86400);
  /* years begin in March here: the leap day is the last one */
  long shifted = days + 719468;
  long era = shifted / 146097;
  long day_of_era = shifted - era * 146097;
  long year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  long day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  long month_from_march = (5 * day_of_year + 2) / 153;
  long day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  long month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  long year = year_of_era + era * 400 + (month <= 2);
  char *at = digits(text, year, 4);
  *at++ = '-';
  at = digits(at, month, 2);
  *at++ = '-';
  at = digits(at, day, 2);
  *at++ = 'T';
  at = digits(at, seconds / 3600, 2);
  *at++ = ':';
  at = digits(at, seconds / 60 % 60, 2);
  *at++ = ':';
  at = digits(at, seconds % 60, 2);
  *at++ = '.';
  at = digits(at, time->tv_nsec, 9);
  *at++ = 'Z';
  *at = '\0';
}

int64_t monotonic_millis(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
