// Sets the chosen theme before anything is painted, so that the page does not flash.
try {
  const theme = localStorage.getItem('kairos-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the theme is that of the system.
}
