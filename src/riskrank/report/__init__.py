"""What people look at: pages, charts and text of what the layers below computed."""
