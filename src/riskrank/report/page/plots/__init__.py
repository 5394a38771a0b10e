"""What the report draws: positions in percent of a plot, so that plots are as wide as the page lets them."""
